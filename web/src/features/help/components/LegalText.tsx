import { formatDate } from '../../../shared/format.ts';
import { PRODUCT_NAME } from '../../../shared/product.ts';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { type Block, readLegalDocument, type TextPart } from '../model/legal-document.ts';
import css from './LegalText.module.css';

interface Props {
  title: string;
  /** Markdown of `content/legal/`. */
  markdown: string;
  /** The day from which it applies. */
  version: string;
}

/** A legal text with its contents and the day from which it applies. */
export function LegalText({ title, markdown, version }: Props) {
  const { opening, sections } = readLegalDocument(markdown, PRODUCT_NAME);
  return (
    <article data-wide className={css.text}>
      <PageHeader title={title} lead={<>Version of {formatDate(version)}</>} />
      <Blocks blocks={opening} />
      <nav aria-labelledby="contents">
        <h2 id="contents">Contents</h2>
        <ol className={css.contents}>
          {sections.map(({ id, heading }) => (
            <li key={id}>
              <a href={`#${id}`}>{heading}</a>
            </li>
          ))}
        </ol>
      </nav>
      {sections.map(({ id, heading, blocks }) => (
        <section key={id} aria-labelledby={id}>
          <h2 id={id}>{heading}</h2>
          <Blocks blocks={blocks} />
        </section>
      ))}
    </article>
  );
}

const Blocks = ({ blocks }: { blocks: readonly Block[] }) =>
  blocks.map((block, index) =>
    block.kind === 'paragraph' ? (
      <p key={index}>
        <Parts parts={block.parts} />
      </p>
    ) : (
      <ul key={index}>
        {block.items.map((item, place) => (
          <li key={place}>
            <Parts parts={item} />
          </li>
        ))}
      </ul>
    ),
  );

const Parts = ({ parts }: { parts: readonly TextPart[] }) =>
  parts.map(({ text, isStrong }, index) => (isStrong ? <strong key={index}>{text}</strong> : text));
