import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { needs } from '../e2e/specification-client/needs.ts';
import { findBroken, inspectSpecification, listTests, printDeviations, readStatements } from './specification.ts';

const HEADER = 'number\tstatement\ttest\tinstead\twhy\tsince\tsubject';
const FILE = 'web/src/a.test.tsx';
const TESTED = `Access 1.1\tThe page has a title\t${FILE}: shows the title\t\t\t\t`;
const DEVIATION = 'Access 1.2\tIt has a menu\t\tA list\tit is shorter\t26 November 2026\tHelp';

/** A project with these lines in its list, and a test file. */
function treeOf(lines: readonly string[], source = "test('shows the title', () => {});") {
  const list = [HEADER, ...lines, ''].join('\n');
  const page = printDeviations(readStatements(list));
  return { 'docs/specification.tsv': list, 'docs/deviations.md': page, [FILE]: source };
}

const inspect = (
  lines: readonly string[],
  source?: string,
  sizes: Record<string, number> = { 'Access 1': lines.length },
) => inspectSpecification(treeOf(lines, source), sizes).findings;

describe('inspectSpecification', () => {
  it('accepts a statement with a test and one with a decision', () => {
    expect(inspectSpecification(treeOf([TESTED, DEVIATION]), { 'Access 1': 2 })).toEqual({ read: 2, findings: [] });
  });

  it('rejects a statement with neither test nor decision', () => {
    expect(inspect(['Access 1.1\tThe page has a title\t\t\t\t\t'])).toEqual([
      'Access 1.1: name a test that fails when this breaks, or say what the product does instead',
    ]);
  });

  it('rejects half a decision', () => {
    expect(inspect(['Access 1.1\tIt has a menu\t\tA list\t\t\tHelp'])).toHaveLength(1);
  });

  it.each([
    ['is removed', "test('shows the menu', () => {});"],
    ['has another title', "test('shows the titles', () => {});"],
    ['is only a describe', "describe('shows the title', () => {});"],
    ['is only a comment', "// test('shows the title')\nexport {};"],
  ])('rejects a statement whose test %s', (_what, source) => {
    expect(inspect([TESTED], source)).toEqual([`Access 1.1: ${FILE} has no test “shows the title”`]);
  });

  it('rejects a statement whose test file is removed', () => {
    const tree = { ...treeOf([TESTED]), [FILE]: '' };
    expect(inspectSpecification(tree, { 'Access 1': 1 }).findings).toEqual([
      `Access 1.1: there is no test file ${FILE}`,
    ]);
  });

  it('asks for the describe where a file has a title twice', () => {
    const source = "describe('a page', () => { test('shows the title', f); }); it('shows the title', f);";
    expect(inspect([TESTED], source)[0]).toContain(
      'write the title of its describe before it: a page > shows the title',
    );
    expect(inspect([TESTED.replace('shows the title', 'a page > shows the title')], source)).toEqual([]);
  });

  it('checks each of several tests', () => {
    const both = TESTED.replace('shows the title', `shows the title && ${FILE}: shows the menu`);
    expect(inspect([both])).toEqual([`Access 1.1: ${FILE} has no test “shows the menu”`]);
  });

  it('names a statement that is removed, in the middle or at the end', () => {
    expect(inspect([DEVIATION], undefined, { 'Access 1': 3 })).toEqual([
      'Access 1.1: the statement has been removed',
      'Access 1.3: the statement has been removed',
    ]);
  });

  it('rejects a number that is there twice, or beyond the recorded size', () => {
    expect(inspect([TESTED, TESTED, DEVIATION], undefined, { 'Access 1': 1 })).toEqual([
      'Access 1.1: there are two lines',
      'Access 1.2: raise the number of statements of Access 1 in docs/specification-sizes.json',
    ]);
  });

  it('rejects a page of deviations that the list does not generate', () => {
    const tree = { ...treeOf([DEVIATION.replace('1.2', '1.1')]), 'docs/deviations.md': '# Deviations\n' };
    expect(inspectSpecification(tree, { 'Access 1': 1 }).findings).toEqual([
      'docs/deviations.md is not what docs/specification.tsv generates: npm run deviations',
    ]);
  });

  it('rejects an empty list', () => {
    expect(inspectSpecification({ 'docs/specification.tsv': '' }, { 'Access 1': 1 }).findings).toContain(
      'Access 1.1: the statement has been removed',
    );
  });
});

describe('listTests', () => {
  it('reads titles with the describe around them, of tests with a table, with tags and with templates', () => {
    const source = `
      test.describe('a list', () => {
        it.each([['a']])('shows %s', () => {});
        test('opens', { tag: '@touch' }, async () => { await test.step('a click', f); });
      });
      test(\`sends \${count} mails\`, f);
      beforeEach(() => run('x'));`;
    expect(listTests(FILE, source)).toEqual(['a list > shows %s', 'a list > opens', 'sends ${count} mails']);
  });
});

describe('findBroken', () => {
  const statements = readStatements(`${HEADER}\n${TESTED}\n${DEVIATION}\n`);
  const ran = (title: string, passed = true, file = FILE) => ({ file, title, passed });

  it('names a statement whose test did not run, or only in another file', () => {
    for (const tests of [[], [ran('shows the title', true, 'web/src/b.test.tsx')], [ran('always shows the title')]])
      expect(findBroken(statements, tests)).toMatchObject([{ number: 'Access 1.1 did not run' }]);
  });

  it('names a statement whose test failed, even once', () => {
    const tests = [ran('a page > shows the title'), ran('shows the title', false)];
    expect(findBroken(statements, tests)).toMatchObject([{ number: 'Access 1.1 is broken' }]);
    expect(findBroken(statements, tests.slice(0, 1))).toEqual([]);
  });

  it('recognises the titles of a table or a template at run time', () => {
    const list = (title: string) => readStatements(`${HEADER}\n${TESTED.replace('shows the title', title)}\n`);
    expect(findBroken(list('shows %s (of $book.title)'), [ran('shows page 2 (of The Hen)')])).toEqual([]);
    expect(findBroken(list('sends ${n} mails'), [ran('sends 3 mails')])).toEqual([]);
    expect(findBroken(list('sends ${n} mails'), [ran('sends 3 mails twice')])).toHaveLength(1);
  });
});

describe('docs/specification.tsv', () => {
  const statements = readStatements(readFileSync(new URL('../docs/specification.tsv', import.meta.url), 'utf8'));

  it('has at least 350 statements', () => {
    expect(statements.length).toBeGreaterThanOrEqual(350);
  });

  it.each(Object.entries(needs))('says what we chose or do instead where a client needs %s', (_name, need) => {
    expect(statements.find(({ number }) => number === need.statement)?.instead).toBeTruthy();
  });
});
