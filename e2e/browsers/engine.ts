/** An element in the page of a browser. */
export interface PageElement {
  click(): Promise<void>;
  /** Types at the end of the field. */
  type(text: string): Promise<void>;
  /** Chooses a file in an `<input type="file">`. */
  attach(path: string): Promise<void>;
}

/** One browser with one window: what the journeys need of each browser. */
export interface Engine {
  open(url: string): Promise<void>;
  back(): Promise<void>;
  /** Runs a function's source in the page. Values and the result are JSON. */
  evaluate<T>(source: string, ...values: unknown[]): Promise<T>;
  /** Runs a function's source in the page that returns an element. */
  findElement(source: string, ...values: unknown[]): Promise<PageElement | null>;
  pressEscape(): Promise<void>;
  /** Presses Tab, or Shift+Tab. */
  pressTab(isBackwards: boolean): Promise<void>;
  /** Opens an empty page with the focus, where Tab can have moved the focus to the browser's own controls. */
  regainFocus?(): Promise<void>;
  /** Sets the size of the viewport in CSS pixels. */
  resize(width: number, height: number): Promise<void>;
  /** A picture of the viewport, as PNG. */
  screenshot(): Promise<Uint8Array>;
  /** Uncaught errors of all pages, as far as the browser reports them. */
  errors(): readonly string[];
  close(): Promise<void>;
}
