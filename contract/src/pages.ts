/*
 * How the server has the web app render pages. Neither can import the other: the server loads the build of
 * web/src/entry-server.tsx when it starts.
 */

/** A reply of the API, such as a `Response`. */
export interface PageReply {
  ok: boolean;
  status: number;
  headers: { get(name: string): string | null };
  json(): Promise<unknown>;
}

/** A request for a page. */
export interface PageRequest {
  /** Path and query. */
  url: string;
  /** The `Cookie` header. */
  cookies: string;
  /** Makes a GET call of the API for the visitor. */
  fetch: (address: string) => Promise<PageReply>;
  /** When the page is rendered, in milliseconds. */
  now: number;
}

/** A page's title, as HTML, and the HTML of its content. */
export interface PageContent {
  title: string;
  html: string;
}

/** The browser renders a page whose `html` is empty; `error` is the reason if rendering on the server failed. */
interface PageOfScreen extends PageContent {
  kind: 'page';
  /** The source of the screen, as the manifest of the browser's build names it. */
  module: string | undefined;
  error?: unknown;
}

/** A page that depends on its URL alone. */
export type GuestPage =
  | { kind: 'redirect'; to: string }
  /** `description` is for search engines; empty for pages that they must not list. */
  | (PageOfScreen & { description: string });

/** The response to a request for a page. */
export type RenderedPage =
  | { kind: 'redirect'; to: string }
  /** The visitor is not signed in: `renderGuestPage` renders the page. */
  | { kind: 'guest' }
  /** `state` is an element with the page's data; `isMissing`: the pupil, class or book in the URL does not exist. */
  | (PageOfScreen & { state: string; isMissing?: boolean })
  /** The server could not load the user or the school. */
  | { kind: 'unavailable' };

/** Why a link to a file does not open. */
export interface FileFailure {
  status: number;
  /** What the API answers. */
  text: string;
  /** The path of the link. */
  path: string;
}

/** The exports of the web app's server build. */
export interface PageRenderer {
  /** Renders a page for the visitor. Retains nothing of the request. */
  renderPage(request: PageRequest): Promise<RenderedPage>;
  /** Renders a page for a visitor who is not signed in. `now` is in milliseconds. */
  renderGuestPage(url: string, now: number): Promise<GuestPage>;
  /** Renders the page that every address shows while the portal is not available, or is too busy. */
  renderUnavailablePage(isBusy: boolean): Promise<PageContent>;
  /** Renders the page of a link to a file that the visitor cannot open. */
  renderFilePage(failure: FileFailure): Promise<PageContent>;
  /** The pattern of the screen at a path, such as `/pupils/:id`; `*` for an unknown address. */
  patternOf(pathname: string): string;
}
