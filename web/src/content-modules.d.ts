// What web/build/help-texts.ts makes of the texts in content/.

declare module '*.md?blocks' {
  const document: import('../../content/read-markdown.ts').MarkdownDocument;
  export default document;
}

declare module '*.json?help' {
  const help: import('../../content/help/read-help.ts').HelpTexts & {
    /** By file name; sizes in CSS pixels. */
    pictures: Record<string, { src: string; width: number; height: number }>;
    /** By id: addresses of the video, its captions (WebVTT) and its first picture. */
    videos: Record<string, { src: string; captions: string; poster: string }>;
  };
  export default help;
}

declare module '*.json?screens' {
  /** Address of the section of the guide by the route of the screen that it explains. */
  const sections: Record<string, string>;
  export default sections;
}
