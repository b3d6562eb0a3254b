import Bowser from 'bowser';

/** Names that the parser knows: an unknown user agent gives it other text, which must not reach a mail. */
const BROWSERS: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS: ReadonlySet<string> = new Set(Object.values(Bowser.OS_MAP));

const known = (names: ReadonlySet<string>, name: string | undefined): string | null =>
  name !== undefined && names.has(name) ? name : null;

/** The names of a browser and its operating system, without versions; null when they are not recognised. */
export function nameDevice(userAgent: string): { browser: string | null; system: string | null } {
  if (userAgent === '') return { browser: null, system: null };
  const { browser, os } = Bowser.parse(userAgent);
  return { browser: known(BROWSERS, browser.name), system: known(SYSTEMS, os.name) };
}
