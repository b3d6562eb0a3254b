import type { ReactNode } from 'react';
import { Link } from '../../../../ui/Link.tsx';
import type { Block, Inline } from '#content/read-markdown.ts';
import { fillIn } from '../../../../shared/product.ts';
import css from './Blocks.module.css';

interface Props {
  blocks: readonly Block[];
  /** Renders a picture of the text by its file name. */
  picture?: (name: string, alt: string) => ReactNode;
}

/** The class of an element with a long text in blocks. */
export const TEXT_STYLE = css.text!;

/** Blocks of a text in `content/`, as parsed at build time. */
export const Blocks = ({ blocks, picture }: Props) =>
  blocks.map((block, index) => <OneBlock key={index} block={block} picture={picture} />);

function OneBlock({ block, picture }: { block: Block; picture: Props['picture'] }) {
  if (block.kind === 'heading') return <h2 id={block.id}>{fillIn(block.text)}</h2>;
  if (block.kind === 'picture') return picture?.(block.name, block.alt);
  if (block.kind === 'list') {
    const List = block.isOrdered ? 'ol' : 'ul';
    return (
      <List>
        {block.items.map((item, index) => (
          <li key={index}>
            <Line text={item} />
          </li>
        ))}
      </List>
    );
  }
  return (
    <p className={block.kind === 'note' ? css.note : undefined}>
      <Line text={block.text} />
    </p>
  );
}

const Line = ({ text }: { text: readonly Inline[] }) =>
  text.map((part, index) => {
    if (typeof part === 'string') return fillIn(part);
    if ('strong' in part) return <strong key={index}>{fillIn(part.strong)}</strong>;
    if ('key' in part) return <kbd key={index}>{part.key}</kbd>;
    return (
      <Link key={index} to={part.link}>
        {part.text}
      </Link>
    );
  });
