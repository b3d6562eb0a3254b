/** The oldest browsers that run the app. Also in index.html, README.md and the FAQ. */
export const BROWSERS = ['chrome111', 'edge111', 'firefox121', 'safari16.4', 'ios16.4'];
