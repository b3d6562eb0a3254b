import { describe, expect, it } from 'vitest';
import { inspectDomainWords, inspectPath, inspectScript, inspectStyles } from './domain-words.ts';

const wrongIn = (source: string) => inspectScript('web/src/a.tsx', source).findings.map(({ text }) => text);

describe('inspectScript', () => {
  it.each([
    ['a variable', 'const readers = [];'],
    ['a variable in camel case', 'let ownGroupId = 1;'],
    ['a name taken out of an object', 'const { enterprise } = reply;'],
    ['a name taken out with a default', 'const { a: { groups = [] } } = reply;'],
    ['a name taken out of a list', 'const [, reader] = pair;'],
    ['the rest of an object', 'const { id, ...group } = reply;'],
    ['a parameter', 'const f = (groupId: number) => groupId;'],
    ['a parameter taken apart', 'f(({ readers_count }) => readers_count);'],
    ['a parameter of a function type', 'type F = (group: string) => void;'],
    ['a function', 'export function listReaders() {}'],
    ['a class and its members', 'class A { enterpriseId = 1; }'],
    ['a method', 'class A { findGroup() {} }'],
    ['a type', 'type Reader = { id: number };'],
    ['an interface', 'interface EnterpriseRow { id: number }'],
    ['a property of an interface', 'interface Row { group: string }'],
    ['a property of a type', 'type Row = { reader_ids: number[] };'],
    ['a parameter of a type', 'type Box<Group> = Group[];'],
    ['an import by another name', "import { pupil as reader } from './a.ts';"],
    ['the error of a catch', 'try { f(); } catch (group) { f(group); }'],
    ['a component with JSX', 'export const GroupList = () => <ul />;'],
    ['a comment', '// all readers of the school'],
    ['a doc comment', '/**\n * The groups\n * of a school.\n */\nconst a = 1;'],
    ['a title of a test', "it('lists the readers', () => {});"],
    ['a title of a table of tests', "it.each([1])('group %i is found', () => {});"],
    ['a title of a block of tests', "test.describe('enterprises', () => {});"],
  ])('finds %s', (_what, source) => {
    expect(wrongIn(source)).toHaveLength(1);
  });

  it.each([
    ['property access', 'const pupils = reply.readers.map((one) => one.group?.id);'],
    ['keys of an object that is sent', 'call({ params: { groupId: classId, readerId }, body: { reader_ids: ids } });'],
    ['names given to what is taken out', 'const { enterprise: school, groups: classes = [] } = reply;'],
    ['string literals', "const path = '/enterprises/{id}/readers'; const chart = `group_accuracy`;"],
    ['quoted properties', "el.setAttribute('role', 'group');"],
    ['attributes of JSX', 'const a = <div role="group" />;'],
    ['texts of a screen', 'const a = <p>Delete your readers?</p>;'],
    ['names that only contain the letters', 'const grouped = 1; const regroup = 2; const readership = 3;'],
    ['what a library is called', "import { IconUsersGroup } from '@tabler/icons-react'; new FileReader();"],
    ['the terms of other fields', '// For screen readers; GROUP BY day; year groups.'],
    ['quotations of the API in comments', '// `readers` of GET /v1/enterprises/{id}/readers'],
    ['quotations of the API in titles', "it('GET /enterprises/{id}/readers answers `readers`', () => {});"],
    ['hyphenated codes', '// max-readers-reached is the code'],
    ['functions that only look like tests', "suite('readers');"],
  ])('leaves %s alone', (_what, source) => {
    expect(wrongIn(source)).toEqual([]);
  });

  it('allows the year group of a pupil', () => {
    expect(inspectScript('web/src/a.ts', 'const yearGroup = 1, year_groups_since = 2;').findings).toEqual([]);
    expect(inspectScript('web/src/a.ts', 'const yearOfGroup = 1;').findings).toHaveLength(1);
  });

  it('reports the line and the finding', () => {
    expect(inspectScript('web/src/a.ts', 'f();\n\nconst reader = 1;\n').findings).toEqual([
      { line: 3, text: 'the name reader' },
    ]);
  });

  it('throws when a file cannot be parsed', () => {
    expect(() => inspectScript('web/src/a.ts', 'const = ;')).toThrow('web/src/a.ts');
  });
});

it('inspectStyles finds classes and comments of a style sheet', () => {
  expect(inspectStyles('.page { color: red }\n.readers { }\n/* of the group */').findings).toEqual([
    { line: 2, text: 'the class .readers' },
    { line: 3, text: 'the comment "of the group"' },
  ]);
});

it('inspectPath finds folders and files', () => {
  expect(inspectPath('server/src/features/school/pupils/reader-names.ts').findings).toHaveLength(1);
  expect(inspectPath('web/src/features/groups/a.ts').findings).toHaveLength(1);
  expect(inspectPath('web/src/features/reading/a.ts').findings).toEqual([]);
});

it('inspectDomainWords counts names and texts, in web and server only', () => {
  const tree = {
    'contract/src/a.ts': 'export const readers = 1;',
    'web/src/a.ts': 'export const pupils = 1;',
    'web/src/a.css': '.a { }',
    'server/src/a.ts': '// all groups\nexport const classes = 1;',
    'web/public/lark.svg': '<svg/>',
  };
  expect(inspectDomainWords(tree)).toEqual({
    files: 4,
    seen: 8,
    findings: ['server/src/a.ts:1: the comment "all groups" says enterprise, group or reader'],
  });
});

it('inspectDomainWords allows exactly the tolerated number of findings in a file', () => {
  const tree = { 'server/src/a.ts': 'const group = 1;\nconst reader = 2;\n' };
  const findings = (tolerated: Record<string, number>) => inspectDomainWords(tree, tolerated).findings;
  expect(findings({ 'server/src/a.ts': 2 })).toEqual([]);
  expect(findings({ 'server/src/a.ts': 1 })).toHaveLength(2);
  expect(findings({ 'server/src/a.ts': 3 })).toEqual([
    'checks/exceptions.json tolerates 3 in server/src/a.ts: change it to 2',
  ]);
  expect(findings({ 'server/src/a.ts': 2, 'server/src/gone.ts': 1 })).toEqual([
    'checks/exceptions.json tolerates 1 in server/src/gone.ts: remove it',
  ]);
});
