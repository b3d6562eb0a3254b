/** A piece of text, strong or not. */
export interface TextPart {
  text: string;
  isStrong: boolean;
}
export type Block = { kind: 'paragraph'; parts: TextPart[] } | { kind: 'list'; items: TextPart[][] };

export interface LegalSection {
  /** Anchor in the page. */
  id: string;
  heading: string;
  blocks: Block[];
}

export interface LegalDocument {
  /** What stands before the first heading. */
  opening: Block[];
  sections: LegalSection[];
}

const partsOf = (text: string): TextPart[] =>
  text
    .split('**')
    .map((part, index) => ({ text: part, isStrong: index % 2 === 1 }))
    .filter((part) => part.text !== '');

function blocksOf(text: string): Block[] {
  return text
    .split(/\n\s*\n/)
    .flatMap((paragraph) => paragraph.split(/\n(?=- )/).map((line) => line.trim()))
    .filter((line) => line !== '')
    .reduce<Block[]>((blocks, line) => {
      const last = blocks.at(-1);
      if (!line.startsWith('- ')) return [...blocks, { kind: 'paragraph', parts: partsOf(line) }];
      const item = partsOf(line.slice(2));
      if (last?.kind !== 'list') return [...blocks, { kind: 'list', items: [item] }];
      last.items.push(item);
      return blocks;
    }, []);
}

/** Reads a document of `content/legal/`: paragraphs, lists, strong words and headings of one level, and no more of Markdown. */
export function readLegalDocument(markdown: string, product: string): LegalDocument {
  const [opening = '', ...rest] = markdown.replaceAll('{product}', product).split(/^## /m);
  return {
    opening: blocksOf(opening),
    sections: rest.map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      const id = heading
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '');
      return { id, heading: heading.trim(), blocks: blocksOf(lines.join('\n')) };
    }),
  };
}
