/**
 * Names and phrases of a private dialect that must not come back: native engineers cannot search for them, and readers
 * stop to decode them. A literal list, without grammar heuristics.
 */
import { readMarkdown, readScript, readStyles } from './read-names.ts';

/** Whole identifiers. */
const NAMES = new Set(
  (
    'A_ROUND ALL_ROWS FIRST FULL Kept LATEST NOBODY USE_NOTED_EVERY ' +
    'ahead among anyOf coverAddress drawPage drawsPages DRAW_PAGES everybody find giveCustomPackage held holdAtSetUp inBatches isFirstDrawing isThere ' +
    'isUseUnnoted its locked makeJudge mine ofWhom placeExisting positioned removeSome rollQuery showAddress undoPurchase ' +
    'useKept within writer'
  ).split(' '),
);

/** Words inside an identifier: `isDrawn`, `judgeChoice`. */
const NAME_WORDS = new Set(
  (
    'anew asked asker drawn judge judged judges mend mended mends nobody refuse refused refuses sitting sittings somebody ' +
    'told unnoted whoever whom'
  ).split(' '),
);

/** A constant says what it limits: `MAX_CLICKS`, not `MOST_CLICKS`. */
const NAME_PATTERN = /^MOST(?:_|$)/;

/** Phrases in comments, tests' titles, texts and documents, as regular expressions. */
const PHRASES = new RegExp(
  `\\b(?:${[
    'anew|once more',
    'somebody|nobody|who(?:m)?ever|of (?:whom|whose)',
    'told (?:of|in|as)|tells? of',
    'say of|says of|said of|(?:is|are) said(?! to\\b)|to be said',
    'judg(?:e[sd]?|ing)\\b',
    'mend(?:s|ed|ing)?\\b',
    '(?<!connections? (?:is |are |was |were )?)refus(?:e[sd]?|ing|als?)\\b(?! connections?)',
    'draws? (?:a|the|this|that|its|each|every) (?:page|screen)|drawn (?:by|on|in|at|for|page|pages|whole)',
    '(?:is|are|was|were|be|being|pages?|comes?|came|not) drawn',
    'sittings?\\b',
    'the wire|the house|the walks?\\b|four doors',
    'the present one|present (?:package|period|subscription|year|schema)|the one there is',
    '(?:all|those|these|ones) that there (?:is|are)',
    '(?:no|an?|any) such (?:a )?one|such a one',
    '(?<!there )(?:is|are) none',
    'held against|holds? against',
    'by where|where (?:it lies|they lie)|lies? (?:across|beside|outside|there)',
    'stands? in (?!for\\b|the way)|stands? (?:on|among|beside|there)|as (?:they|it) stands?',
    'comes? again|goes? along',
    'forgets? (?:of\\b|that there)|we answer to|done with it|what is meant|put (?:this|the) list away|shall we',
    'over £',
  ].join('|')})`,
  'i',
);

/** Code, paths, URLs and e-mail addresses quoted in a text are not prose. */
const QUOTED = /`[^`]*`|https?:\S+|\S+@\S+|(?:\.{0,2}\/)[\w./-]+|[\w-]+\.(?:ts|tsx|md|css|mjs)\b/g;

const SCRIPT = /\.([cm]?tsx?|mjs)$/;
/** Data, generated files, and pages that quote the words on purpose. */
const SKIPPED =
  /^(content\/(books|common-passwords|templates)|server\/src\/database\/schema\/(generated-tables|schema\.sql)|checks\/(plain-words|read-names)|package-lock)/;
const INSPECTED = /^(bench|checks|content|contract|docs|e2e|guides|scripts|seeds|server|web|[A-Z]+\.md$)/;

const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/);

const isPrivateName = (name: string): boolean =>
  NAMES.has(name) || NAME_PATTERN.test(name) || wordsOf(name).some((word) => NAME_WORDS.has(word));

function readTexts(path: string, source: string) {
  if (SCRIPT.test(path)) return readScript(path, source);
  if (path.endsWith('.css')) return readStyles(source);
  return path.endsWith('.md') ? readMarkdown(source) : [];
}

interface PlainWordsReport {
  files: number;
  names: number;
  texts: number;
  findings: string[];
}

/**
 * Inspects names, comments, tests' titles, texts and documents.
 * @param tolerated a file's path, and the reason why its findings stay: "count: reason"; the list can only shrink
 */
export function inspectPlainWords(
  tree: Readonly<Record<string, string>>,
  tolerated: Readonly<Record<string, string>> = {},
): PlainWordsReport {
  const report: PlainWordsReport = { files: 0, names: 0, texts: 0, findings: [] };
  for (const [path, source] of Object.entries(tree)) {
    if (!INSPECTED.test(path) || SKIPPED.test(path)) continue;
    const texts = [{ kind: 'name' as const, line: 1, value: path.split('/').at(-1) ?? '' }, ...readTexts(path, source)];
    report.files += 1;
    report.names += texts.filter(({ kind }) => kind === 'name').length;
    report.texts += texts.filter(({ kind }) => kind !== 'name').length;
    const found = texts.flatMap(({ kind, line, value }) => {
      if (kind === 'name') return isPrivateName(value) ? [`${path}:${line}: the name ${value}`] : [];
      const [phrase] = PHRASES.exec(value.replaceAll(QUOTED, '')) ?? [];
      return phrase ? [`${path}:${line}: "${phrase.trim()}" in the ${kind} "${value.slice(0, 120)}"`] : [];
    });
    const [count = '0'] = (tolerated[path] ?? '0').split(':');
    if (found.length > Number(count)) report.findings.push(...found);
    else if (found.length < Number(count))
      report.findings.push(`checks/exceptions.json tolerates ${count} in ${path}: change it to ${found.length}`);
  }
  for (const path of Object.keys(tolerated))
    if (tree[path] === undefined) report.findings.push(`checks/exceptions.json names ${path}, which does not exist`);
  return report;
}
