import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import versions from '#content/legal/versions.json';
import { readLegalDocument } from './legal-document.ts';

const FOLDER = join(import.meta.dirname, '../../../../../content/legal');

it('reads headings, paragraphs, lists and strong words', () => {
  const document = readLegalDocument(
    'What {product} is.\n\n## 1. You & we\nWe\n\n- **keep** it;\n- go.\n\nAnd so on.',
    'Lark',
  );
  expect(document).toEqual({
    opening: [{ kind: 'paragraph', parts: [{ text: 'What Lark is.', isStrong: false }] }],
    sections: [
      {
        id: '1-you-we',
        heading: '1. You & we',
        blocks: [
          { kind: 'paragraph', parts: [{ text: 'We', isStrong: false }] },
          {
            kind: 'list',
            items: [
              [
                { text: 'keep', isStrong: true },
                { text: ' it;', isStrong: false },
              ],
              [{ text: 'go.', isStrong: false }],
            ],
          },
          { kind: 'paragraph', parts: [{ text: 'And so on.', isStrong: false }] },
        ],
      },
    ],
  });
});

it.each(Object.entries(versions))(
  '%s is there, with a date as its version and nothing that is not read',
  (name, version) => {
    expect(readdirSync(FOLDER)).toContain(`${name}.md`);
    expect(version).toMatch(/^\d{4}-\d\d-\d\d$/);
    const { sections, opening } = readLegalDocument(readFileSync(join(FOLDER, `${name}.md`), 'utf8'), 'Lark');
    expect(opening).toHaveLength(1);
    expect(sections.length).toBeGreaterThan(4);
    expect(new Set(sections.map(({ id }) => id)).size).toBe(sections.length);
    const text = JSON.stringify([opening, sections]);
    expect(text).not.toMatch(/[{]product|\*\*|#|\]\(/);
  },
);
