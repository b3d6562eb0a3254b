import { guestPaths } from '../guest-paths.ts';
import { guestScreens } from '../guest-screens.tsx';
import { screens } from '../routes.tsx';

/** Every page, with the app and without it. */
export const pages = [...screens, ...guestPaths.map((path) => ({ path, ...guestScreens[path] }))];
