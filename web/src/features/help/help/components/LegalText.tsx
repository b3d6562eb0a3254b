import type { MarkdownDocument } from '#content/read-markdown.ts';
import { formatDate } from '../../../../shared/format.ts';
import { PageHeader } from '../../../../ui/PageHeader.tsx';
import { Blocks, TEXT_STYLE } from './Blocks.tsx';
import css from './Blocks.module.css';

interface Props {
  title: string;
  /** Of `content/legal/`. */
  document: MarkdownDocument;
  /** The date from which the text applies. */
  version: string;
}

/** A legal text with its contents and the date from which it applies. */
export function LegalText({ title, document: { blocks }, version }: Props) {
  const headings = blocks.filter((block) => block.kind === 'heading');
  const start = blocks.findIndex((block) => block.kind === 'heading');
  return (
    <article data-wide="text" className={`${TEXT_STYLE} ${css.legal}`}>
      <PageHeader title={title} lead={<>Version of {formatDate(version)}</>} />
      <Blocks blocks={blocks.slice(0, start)} />
      <nav className="no-print" aria-labelledby="contents">
        <h2 id="contents">Contents</h2>
        <ol className={css.contents}>
          {headings.map(({ id, text }) => (
            <li key={id}>
              <a href={`#${id}`}>{text}</a>
            </li>
          ))}
        </ol>
      </nav>
      <Blocks blocks={blocks.slice(start)} />
    </article>
  );
}
