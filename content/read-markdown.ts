import { type Token, type Tokens, lexer } from 'marked';

/** A piece of a line. Strong words of the help are texts of the screens; `key` is a key of the keyboard. */
export type Inline = string | { strong: string } | { key: string } | { link: string; text: string };

export type Block =
  | { kind: 'heading'; id: string; text: string }
  | { kind: 'paragraph' | 'note'; text: Inline[] }
  | { kind: 'list'; isOrdered: boolean; items: Inline[][] }
  | { kind: 'picture'; name: string; alt: string };

export interface MarkdownDocument {
  /** The heading of the first level; empty where there is none. */
  title: string;
  blocks: Block[];
}

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/**
 * Reads the part of Markdown that our texts use: headings of two levels, paragraphs, flat lists, notes (`>`),
 * pictures on a line of their own, strong words, links and keys (in backquotes).
 * Throws an Error at anything else, raw HTML above all.
 */
export function readMarkdown(markdown: string): MarkdownDocument {
  const blocks: Block[] = [];
  let title = '';
  for (const token of lexer(markdown) as Tokens.Generic[])
    if (token.type === 'heading' && token.depth === 1) title = textOf(token);
    else if (token.type !== 'space') blocks.push(blockOf(token));
  return { title, blocks };
}

function blockOf(token: Tokens.Generic): Block {
  const { tokens = [] } = token;
  if (token.type === 'heading' && token.depth === 2) {
    const text = textOf(token);
    return { kind: 'heading', id: slug(text), text };
  }
  if (token.type === 'paragraph') {
    const [only] = tokens as Tokens.Generic[];
    if (only?.type === 'image' && tokens.length === 1)
      return { kind: 'picture', name: String(only.href), alt: String(only.text) };
    return { kind: 'paragraph', text: inlinesOf(tokens) };
  }
  if (token.type === 'blockquote') {
    const [only] = tokens as Tokens.Generic[];
    if (only?.type === 'paragraph' && tokens.length === 1)
      return { kind: 'note', text: inlinesOf(only.tokens ?? []) };
  }
  if (token.type === 'list') {
    const { ordered, items } = token as Tokens.List;
    return {
      kind: 'list',
      isOrdered: ordered,
      items: items.map(({ tokens: content, raw }) => {
        const [only] = content as Tokens.Generic[];
        if (content.length !== 1 || !only || (only.type !== 'text' && only.type !== 'paragraph'))
          throw new Error(`Only a line of text in a list: ${raw}`);
        return inlinesOf(only.tokens ?? []);
      }),
    };
  }
  throw new Error(`Our texts have no ${token.type}: ${token.raw}`);
}

const inlinesOf = (tokens: readonly Token[]): Inline[] =>
  (tokens as Tokens.Generic[]).map((token) => {
    if (token.type === 'text' || token.type === 'escape') return String(token.text).replaceAll('\n', ' ');
    if (token.type === 'strong') return { strong: textOf(token) };
    if (token.type === 'codespan') return { key: String(token.text) };
    if (token.type === 'link') return { link: String(token.href), text: textOf(token) };
    throw new Error(`A line of our texts has no ${token.type}: ${token.raw}`);
  });

/** The words of a token that holds nothing but words. */
function textOf({ tokens = [], raw }: Tokens.Generic): string {
  const parts = inlinesOf(tokens);
  if (parts.some((part) => typeof part !== 'string')) throw new Error(`Nothing but words in: ${raw}`);
  return parts.join('').trim();
}

/** The words of a line, without what sets them apart. */
export const plainText = (text: readonly Inline[]): string =>
  text
    .map((part) => {
      if (typeof part === 'string') return part;
      if ('strong' in part) return part.strong;
      return 'key' in part ? part.key : part.text;
    })
    .join('');

/** Every line of a block. */
export function linesOf(block: Block): Inline[][] {
  if (block.kind === 'list') return block.items;
  if (block.kind === 'heading') return [[block.text]];
  return block.kind === 'picture' ? [[block.alt]] : [block.text];
}
