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
  /** Makes a call of the API for the visitor; a GET unless `call` says otherwise. */
  fetch: (address: string, call?: PageCall) => Promise<PageReply>;
  /** When the page is rendered, in milliseconds. */
  now: number;
  /** What guest pages keep in cookies that no script can read. */
  kept?: KeptValues;
}

/** A call that changes something. `body` is sent as JSON. */
export interface PageCall {
  method: string;
  body: unknown;
  idempotencyKey?: string | undefined;
}

/** `invite`: the ID of the invitation to accept after the login. `step`: the second step of a login, as JSON. */
export type KeptValues = Partial<Record<'invite' | 'step', string>>;

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

/** For a page without the app: which values to keep from now on; null removes one. */
interface Keeping {
  keep?: { [Name in keyof KeptValues]: string | null };
}

/** A page that works without the app. `description` is for search engines; empty for pages that they must not list. */
export type GuestDocument =
  | (Keeping & {
      kind: 'redirect';
      to: string;
      /** Logs the visitor out. */
      endsSession?: boolean;
    })
  /** The server could not load what the page is about. */
  | { kind: 'unavailable' }
  | (Keeping &
      PageContent & {
        kind: 'document';
        status: number;
        description: string;
        isSignedIn: boolean;
        retryAfter?: number | undefined;
        /** A page on another site, which the browser opens at once. */
        leavesTo?: string;
        error?: unknown;
      });

/** A page for a visitor who is not signed in. A screen of the app depends on its URL alone. */
export type GuestPage =
  | GuestDocument
  /** `description` as above. */
  | (PageOfScreen & { description: string });

/** The response to a request for a page. */
export type RenderedPage =
  | GuestDocument
  /** The visitor is not signed in: `renderGuestPage` renders the page. */
  | { kind: 'guest' }
  /** `state` is an element with the page's data; `isMissing`: the pupil, class or book in the URL does not exist. */
  | (PageOfScreen & { state: string; isMissing?: boolean });

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
  /** Renders a page for a visitor who is not signed in. */
  renderGuestPage(request: PageRequest): Promise<GuestPage>;
  /** Sends the form of a guest page, as the browser encodes it: the same page with what is wrong, or where the visitor goes next. */
  submitForm(request: PageRequest, form: string): Promise<GuestDocument>;
  /** The patterns of the guest pages with a form. */
  formPaths: readonly string[];
  /** Renders the page that every address shows while the portal is not available, or is too busy. */
  renderUnavailablePage(isBusy: boolean): Promise<PageContent>;
  /** Renders the page of a link to a file that the visitor cannot open. */
  renderFilePage(failure: FileFailure): Promise<PageContent>;
  /** The pattern of the screen at a path, such as `/pupils/:id`; `*` for an unknown address. */
  patternOf(pathname: string): string;
  /** Whether the page at a path works without the app. */
  isDocument(pathname: string): boolean;
}
