import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { layoutFaults } from '../layout.ts';
import type { Engine, PageElement } from './engine.ts';

/** Testing Library's queries by role and name, for any browser. */
const QUERIES = readFileSync(
  createRequire(import.meta.url).resolve('@testing-library/dom/dist/@testing-library/dom.umd.min.js'),
  'utf8',
);

/** Waits this long for what a step expects, also on a machine that is several times slower. */
const PATIENCE_MS = 45_000;
const POLL_MS = 100;

/** The sizes at which each screen is shown and its layout checked. */
const SIZES = [
  { width: 1280, height: 900 },
  { width: 768, height: 1024 },
] as const;

type Name = string | RegExp;
type Kind = 'text' | 'label' | 'css' | (string & {});

interface Query {
  kind: Kind;
  text: string;
  /** Flags of the regular expression; absent for an exact text. */
  flags?: string;
}

/**
 * Finds the first visible element by role and name, text, label or selector, in the topmost dialog. Runs in the browser.
 */
function locate({ kind, text, flags }: Query): Element | null {
  type ListMatches = (scope: Element, ...rest: unknown[]) => Element[];
  const queries = (globalThis as unknown as { TestingLibraryDom: Record<string, ListMatches> }).TestingLibraryDom;
  // Chromium 92 lacks `checkVisibility`.
  const isShown = (element: Element) =>
    'checkVisibility' in element
      ? element.checkVisibility({ checkVisibilityCSS: true })
      : (element as Element).getClientRects().length > 0;
  const dialogs = [...document.querySelectorAll('dialog[open]')].filter(isShown);
  const scope = (kind === 'dialog' ? undefined : dialogs.at(-1)) ?? document.body;
  const name = flags === undefined ? text : new RegExp(text, flags);
  const listMatches = (): Element[] => {
    if (kind === 'css') return [...scope.querySelectorAll(text)];
    if (kind === 'text') return queries['queryAllByText']!(scope, name);
    if (kind === 'label') return queries['queryAllByLabelText']!(scope, name);
    return queries['queryAllByRole']!(scope, kind, { name, hidden: true });
  };
  return listMatches().find((element) => kind === 'css' || isShown(element)) ?? null;
}

/** Whether the images in the window are loaded. Runs in the browser. */
function areImagesLoaded(): boolean {
  return [...document.images].every((image) => {
    const { top, bottom } = image.getBoundingClientRect();
    return image.complete || bottom < 0 || top > innerHeight;
  });
}

/** A page of a browser, used like a person does: by what is shown on it. */
export class BrowserPage {
  readonly #engine: Engine;
  readonly #url: string;
  #faults: string[] = [];
  readonly #onPicture: (name: string, width: number, png: Uint8Array) => void;

  constructor(engine: Engine, url: string, onPicture: (name: string, width: number, png: Uint8Array) => void) {
    this.#engine = engine;
    this.#url = url;
    this.#onPicture = onPicture;
  }

  async goto(path: string): Promise<void> {
    await this.#engine.open(this.#url + path);
  }

  async back(): Promise<void> {
    await this.#engine.back();
  }

  evaluate<T>(source: string, ...values: unknown[]): Promise<T> {
    return this.#engine.evaluate<T>(source, ...values);
  }

  pressTab(isBackwards: boolean): Promise<void> {
    return this.#engine.pressTab(isBackwards);
  }

  /** Waits until the result is true. Returns false when it never is. */
  becomes(read: () => Promise<boolean>): Promise<boolean> {
    return this.#poll('a condition', read).catch(() => false);
  }

  /** Takes a picture of the window. */
  async picture(name: string): Promise<void> {
    const width = await this.#engine.evaluate<number>('() => innerWidth');
    this.#onPicture(name, width, await this.#engine.screenshot());
  }

  /** Waits for an element. */
  async see(kind: Kind, name: Name): Promise<PageElement> {
    return this.#poll(`${kind} ${String(name)}`, () => this.#find(kind, name));
  }

  /** Waits until an element is absent. */
  async gone(kind: Kind, name: Name): Promise<void> {
    await this.#poll(`no ${kind} ${String(name)}`, async () => ((await this.#find(kind, name)) ? null : true));
  }

  /** Waits for a URL. */
  async at(path: RegExp): Promise<void> {
    await this.#poll(String(path), async () =>
      path.test(await this.#engine.evaluate<string>('() => location.pathname + location.search')),
    );
  }

  /** Clicks once, as soon as the element is there and can be clicked. */
  async click(kind: Kind, name: Name): Promise<void> {
    await this.#poll(`a click on ${kind} ${String(name)}`, async () => {
      const element = await this.#find(kind, name);
      await element?.click();
      return element;
    });
  }

  /** Replaces the text of a field. */
  async fill(kind: Kind, name: Name, text: string): Promise<void> {
    const field = await this.see(kind, name);
    await field.click();
    await this.#engine.evaluate('() => document.activeElement?.select?.()');
    await field.type(text);
  }

  /** Chooses an option by the start of its label. */
  async choose(label: Name, option: string): Promise<void> {
    await this.see('label', label);
    const select = (field: HTMLSelectElement, text: string) => {
      const index = [...field.options].findIndex((item) => item.label.startsWith(text));
      field.selectedIndex = index;
      for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
      return index >= 0;
    };
    const source = `(query, text) => (${String(select)})((${String(locate)})(query), text)`;
    if (!(await this.#engine.evaluate<boolean>(source, toQuery('label', label), option)))
      throw new Error(`${String(label)} has no option ${option}.`);
  }

  async attach(selector: string, path: string): Promise<void> {
    await (await this.see('css', selector)).attach(path);
  }

  /** The layout faults since the last call, each with its screen and size. */
  takeFaults(): string[] {
    const faults = this.#faults;
    this.#faults = [];
    return faults;
  }

  pressEscape(): Promise<void> {
    return this.#engine.pressEscape();
  }

  /** Checks the layout at every size, and takes a picture of each. */
  async show(name: string): Promise<void> {
    for (const { width, height } of SIZES) {
      await this.resize({ width, height });
      // Charts and menus follow a new size a moment later.
      const faults = await this.#settle(() => this.#engine.evaluate<string[]>(String(layoutFaults)));
      this.#faults.push(...faults.map((fault) => `${name} at ${width} px: ${fault}`));
      await this.#poll('all pictures', () => this.#engine.evaluate<boolean>(String(areImagesLoaded)));
      await this.takePicture(name, width);
    }
    await this.resize(SIZES[0]);
  }

  /** Takes a picture at the current size, without any check. */
  async takePicture(name: string, width: number = SIZES[0].width): Promise<void> {
    await this.#nextFrame();
    this.#onPicture(name, width, await this.#engine.screenshot());
  }

  /** Resizes the window. A browser that is still busy with another size can miss the request, so it is repeated. */
  async resize({ width, height }: { width: number; height: number }): Promise<void> {
    await this.#poll(`a window of ${width} px`, async () => {
      if (await this.#engine.evaluate<boolean>('(width) => innerWidth === width', width)) return true;
      await this.#engine.resize(width, height);
      return null;
    });
  }

  /** Waits until the browser has painted the page again. */
  async #nextFrame(): Promise<void> {
    const request = () => {
      const state = globalThis as { hasPainted?: boolean };
      state.hasPainted = false;
      requestAnimationFrame(() => requestAnimationFrame(() => void (state.hasPainted = true)));
    };
    await this.#engine.evaluate(String(request));
    await this.#poll('a new frame', () => this.#engine.evaluate<boolean>('() => globalThis.hasPainted'));
  }

  /** The first empty result, or the last one when there was none in time. */
  async #settle(read: () => Promise<string[]>): Promise<string[]> {
    let faults: string[] = [];
    await this.#poll('a page without faults', async () => (faults = await read()).length === 0).catch(
      (error: unknown) => {
        if (faults.length === 0) throw error;
      },
    );
    return faults;
  }

  async #find(kind: Kind, name: Name): Promise<PageElement | null> {
    const hasQueries = await this.#engine.evaluate<boolean>("() => 'TestingLibraryDom' in globalThis");
    if (!hasQueries) await this.#engine.evaluate(`() => { ${QUERIES} }`);
    return this.#engine.findElement(String(locate), toQuery(kind, name));
  }

  /** Repeats until there is a result. Errors meanwhile count as none, because a page may be replaced at any time. */
  async #poll<T>(what: string, read: () => Promise<T | null | false>): Promise<T> {
    const end = performance.now() + PATIENCE_MS;
    let last: unknown;
    while (performance.now() < end) {
      try {
        const found = await read();
        if (found) return found;
      } catch (error) {
        last = error;
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    const state = await this.#engine
      .evaluate<string>('() => `${location.href}\\n${document.body.innerText.slice(0, 600)}`')
      .catch(String);
    throw new Error(`Not seen: ${what}${last instanceof Error ? ` (${last.message})` : ''}\n${state}`);
  }
}

const toQuery = (kind: Kind, name: Name): Query =>
  typeof name === 'string' ? { kind, text: name } : { kind, text: name.source, flags: name.flags };
