/**
 * Screen readers miss a live region that appears together with its text. The web app has one for what it announces, which is
 * always there: reports every other. An error is an alert, which browsers announce when it appears.
 */

/** The only file that may contain a live region. */
const STATUS_REGION = 'web/src/ui/StatusRegion.tsx';

const INSPECTED = /^web\/.*\.tsx?$/;
const NOT_INSPECTED = /(\.test\.tsx?$|\.d\.ts$|^web\/src\/testing\/)/;

/** Attributes and elements, but not selectors: `[role="status"]`. */
const LIVE_REGION =
  /(?<!\[)\baria-?live\b|(?<!\[)\brole['"]?\s*[=:]\s*(\{[^}]*)?['"](status|log|timer|marquee)['"]|<output\b/gi;

const lineAt = (source: string, index: number): number => source.slice(0, index).split('\n').length;

/** @param tree file contents by path from the root */
export function inspectLiveRegions(tree: Readonly<Record<string, string>>): { files: number; findings: string[] } {
  const paths = Object.keys(tree).filter((path) => INSPECTED.test(path) && !NOT_INSPECTED.test(path));
  const findings = paths.flatMap((path) => {
    if (path === STATUS_REGION) return [];
    const source = tree[path] ?? '';
    return [...source.matchAll(LIVE_REGION)].map(
      ({ index, 0: text }) =>
        `${path}:${lineAt(source, index)}: ${text} is a live region of its own: use announce() or useAnnouncement()`,
    );
  });
  const hasRegion = /\brole\b.*\bstatus\b/.test(tree[STATUS_REGION] ?? '');
  return {
    files: paths.length,
    findings: hasRegion ? findings : [...findings, `${STATUS_REGION}: has no status region`],
  };
}
