import { describe, expect, it } from 'vitest';
import { inspectPlainWords } from './plain-words.ts';

const findingsIn = (path: string, source: string) => inspectPlainWords({ [path]: source }).findings;

describe('inspectPlainWords', () => {
  it.each([
    ['a name from the list', 'const NOBODY = 0;', 'NOBODY'],
    ['a word inside a name', 'const isDrawn = true;', 'isDrawn'],
    ['a constant that names no limit', 'const MOST_CLICKS = 3;', 'MOST_CLICKS'],
    ['a function', 'function judgeChoice() {}', 'judgeChoice'],
    ['a comment', '// Whoever may see it.\nconst a = 1;', 'Whoever'],
    ['a doc comment across lines', '/**\n * Read once\n * more.\n */\nconst a = 1;', 'once more'],
    ['a title of a test', "it('is told of it', () => {});", 'told of'],
    ['a text on a screen', 'const a = <p>Somebody may see it</p>;', 'Somebody'],
    ['a message', "const a = 'Invoice over £594.00';", 'over £'],
    ['a template', 'const a = `Mend ${b} these`;', 'Mend'],
  ])('finds %s', (_what, source, word) => {
    const [finding] = findingsIn('web/src/a.tsx', source);
    expect(finding).toContain(word);
    expect(finding).toMatch(/^web\/src\/a\.tsx:\d+: /);
  });

  it.each([
    ['plain names', 'const isServerRendered = true;'],
    ['a name that contains a listed word', 'const almost = 1; const within2 = 1;'],
    ['the source of an import', "import { a } from './refused/drawn.ts';"],
    ['quoted code', '// See `refused` and ./told/somebody.ts.\nconst a = 1;'],
    [
      'common English',
      '// The user is told that there is none; the connection was refused, and B stands in for A.\nconst a = 1;',
    ],
    ['a class of CSS in a string', "const a = 'card';"],
  ])('allows %s', (_what, source) => {
    expect(findingsIn('web/src/a.tsx', source)).toEqual([]);
  });

  it('counts the title of a test once', () => {
    expect(findingsIn('server/src/a.test.ts', "it('is for nobody', () => { expect('nobody'); });")).toHaveLength(2);
  });

  it('reads style sheets, documents and the names of files', () => {
    expect(findingsIn('web/src/a.css', '/* as drawn by the server */\n.isDrawn { }')).toHaveLength(2);
    expect(findingsIn('docs/a.md', 'Text.\n\nWhoever reads it.\n```\nnobody\n```\n')).toEqual([
      'docs/a.md:3: "Whoever" in the text "Whoever reads it."',
    ]);
    expect(findingsIn('web/src/drawn-until-seen.ts', '')).toHaveLength(1);
  });

  it('counts what it read, in folders of the project alone', () => {
    const tree = { 'server/src/a.ts': '// a comment\nconst a = 1;', 'elsewhere/a.ts': 'const told = 1;' };
    expect(inspectPlainWords(tree)).toEqual({ files: 1, names: 2, texts: 1, findings: [] });
  });

  it('tolerates exactly the number that an exception names, so that the list can only shrink', () => {
    const tree = { 'server/src/a.ts': 'const told = 1;\nconst asked = 2;\n' };
    const withException = (count: string) =>
      inspectPlainWords(tree, { 'server/src/a.ts': `${count}: reason` }).findings;
    expect(withException('2')).toEqual([]);
    expect(withException('1')).toHaveLength(2);
    expect(withException('3')).toEqual(['checks/exceptions.json tolerates 3 in server/src/a.ts: change it to 2']);
    expect(inspectPlainWords({}, { 'server/src/gone.ts': '1: reason' }).findings).toHaveLength(1);
  });
});
