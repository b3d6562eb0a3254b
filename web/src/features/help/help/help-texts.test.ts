import { globSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { expect, test } from 'vitest';
import versions from '#content/legal/versions.json';
import { readHelp } from '#content/help/read-help.ts';
import { type Block, type Inline, linesOf, readMarkdown } from '#content/read-markdown.ts';
import { screens } from '../../../routes.tsx';
import { searchHelp } from './model/search-help.ts';

const ROOT = join(import.meta.dirname, '../../../../..');
const help = readHelp();
const sections = help.tabs.flatMap(({ id: tab, items }) => items.map((item) => ({ ...item, tab })));
const faqs = help.faqSets.flatMap((set) => set.faqs);
const texts: { name: string; blocks: Block[] }[] = [
  ...sections.map(({ id, blocks }) => ({ name: id, blocks })),
  ...faqs.map(({ id, blocks }) => ({ name: `FAQ ${id}`, blocks })),
];
const partsOf = (blocks: readonly Block[]): Inline[] => blocks.flatMap((block) => linesOf(block).flat());

test('no video, section or question is missing or listed twice', () => {
  expect(help.videoSets.map(({ title, videos }) => [title, videos.length])).toEqual([
    ['Every day tasks', 5],
    ['Set up', 6],
  ]);
  const namesIn = (folder: string) =>
    globSync(`content/help/${folder}/*.md`, { cwd: ROOT }).map((path) => parse(path).name);
  expect(sections.map(({ id }) => id).toSorted()).toEqual(namesIn('guide').toSorted());
  expect(faqs.map(({ id }) => id).toSorted()).toEqual(namesIn('faq').toSorted());
  expect(texts.filter(({ blocks }) => blocks.length < 2)).toEqual([]);
});

const written = globSync('web/src/**/*.{ts,tsx}', { cwd: ROOT })
  .filter((path) => !path.includes('.test.'))
  .map((path) => readFileSync(join(ROOT, path), 'utf8'))
  .join('\n')
  .replaceAll(/&apos;|’/g, "'")
  .replaceAll(/\s+/g, ' ');

/** The two versions of a text that contains a choice of words. */
const CHOICE = /`([^`$]*)\$\{[^`{}]*\? '([^']*)' : '([^']*)'\}([^`$]*)`/g;
const source = [
  written,
  ...[...written.matchAll(CHOICE)].flatMap(([, before, first, second, after]) => [
    `'${before}${first}${after}'`,
    `'${before}${second}${after}'`,
  ]),
].join('\n');

/** Whether a screen contains exactly this text: between tags, or as a whole string. */
function isOnScreen(words: string): boolean {
  const pattern = words.replaceAll('’', "'").replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(>|'|"|\`|\\})\\s?${pattern}\\s?(<|'|"|\`|\\{)`).test(source);
}

test('everything in bold in the texts is on a screen, word for word', () => {
  expect(isOnScreen('Add Pupils')).toBe(true);
  expect(isOnScreen('Add Pupil')).toBe(false);
  const named = texts.flatMap(({ name, blocks }) =>
    partsOf(blocks).flatMap((part) =>
      typeof part === 'object' && 'strong' in part ? [{ name, words: part.strong }] : [],
    ),
  );
  expect(named.length).toBeGreaterThan(80);
  expect(named.filter(({ words }) => !isOnScreen(words))).toEqual([]);
});

const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/:\w+\??/g, '[^/]+')}$`);

test('every link in the help leads to a screen, and inside the help to a text', () => {
  const links = texts.flatMap(({ name, blocks }) =>
    partsOf(blocks).flatMap((part) => (typeof part === 'object' && 'link' in part ? [{ name, link: part.link }] : [])),
  );
  expect(links.length).toBeGreaterThan(20);
  const guide = sections.map(({ tab, id }) => `/userguide/${tab}/${id}`);
  const questions = faqs.map(({ id }) => `/faq/${id}`);
  const leadsNowhere = links.filter(({ link }) =>
    /^\/(userguide|faq)\//.test(link)
      ? ![...guide, ...questions].includes(link)
      : !screens.some(({ path }) => path !== '*' && patternOf(path).test(link)),
  );
  expect(leadsNowhere).toEqual([]);
});

test('every screen of a school except the help has a section in the guide', () => {
  const explained = sections.flatMap((section) => section.screens);
  expect(new Set(explained).size).toBe(explained.length);
  const own = /^\/(overview|userguide|videoguides|templates|faq|contact)(\/|$)/;
  const inMain = screens
    .filter(({ frame, path }) => frame === 'main' && path !== '*' && path !== '/school/readers' && !own.test(path))
    .map(({ path }) => path);
  expect(explained.toSorted()).toEqual(inMain.toSorted());
});

test('every video that a section names is in the list', () => {
  const ids = help.videoSets.flatMap(({ videos }) => videos.map(({ id }) => id));
  const named = sections.flatMap(({ video }) => (video ? [video] : []));
  expect(named.toSorted()).toEqual(ids.toSorted());
});

test.each([
  ['raw HTML', 'See <b>this</b>.'],
  ['a block of HTML', '<script>alert(1)</script>'],
  ['a table', '| a | b |\n|---|---|\n| 1 | 2 |'],
  ['a list in a list', '- a\n  - b'],
  ['a third level of headings', '### Deep'],
])('the parser of help texts rejects %s', (_, markdown) => {
  expect(() => readMarkdown(markdown)).toThrow();
});

test('the parser of help texts turns Markdown into blocks', () => {
  expect(
    readMarkdown(
      '# T\n\nPress **Go & on** or `Ctrl K`,\nsee [here](/pupils).\n\n1. One\n2. Two\n\n> Note\n\n![Alt](a.png)',
    ),
  ).toEqual({
    title: 'T',
    blocks: [
      {
        kind: 'paragraph',
        text: [
          'Press ',
          { strong: 'Go & on' },
          ' or ',
          { key: 'Ctrl K' },
          ', see ',
          { link: '/pupils', text: 'here' },
          '.',
        ],
      },
      { kind: 'list', isOrdered: true, items: [['One'], ['Two']] },
      { kind: 'note', text: ['Note'] },
      { kind: 'picture', name: 'a.png', alt: 'Alt' },
    ],
  });
});

test.each(Object.entries(versions))('the legal text %s parses and its version is a date', (name, version) => {
  expect(version).toMatch(/^\d{4}-\d\d-\d\d$/);
  const { blocks } = readMarkdown(readFileSync(join(ROOT, `content/legal/${name}.md`), 'utf8'));
  const headings = blocks.flatMap((block) => (block.kind === 'heading' ? [block.id] : []));
  expect(headings.length).toBeGreaterThan(3);
  expect(new Set(headings).size).toBe(headings.length);
  expect(JSON.stringify(partsOf(blocks))).not.toMatch(/\*\*|\]\(/);
});

test('the help search ranks titles first and finds words in the texts', () => {
  expect(searchHelp(help, '  Certificates ', 3)[0]).toMatchObject({ to: '/userguide/getting-the-most/certificates' });
  expect(searchHelp(help, 'reset PASSWORDS', 8).map(({ to }) => to)).toContain('/userguide/getting-the-most/logins');
  const [first] = searchHelp(help, 'junk folder', 8);
  expect(first).toEqual({
    title: faqs[1]?.title,
    detail: 'Ask the teacher to look in their junk folder.',
    to: '/faq/2',
  });
  expect(searchHelp(help, 'zebra', 8)).toEqual([]);
  expect(searchHelp(help, ' ', 8)).toEqual([]);
  expect(searchHelp(help, 'a', 3)).toHaveLength(3);
});
