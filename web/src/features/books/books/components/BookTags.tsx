import type { Book } from '#contract/calls/books.ts';
import { Chip } from '../../../../ui/Chip.tsx';

/** The subjects of a book. */
export const BookTags = ({ tags }: Pick<Book, 'tags'>) =>
  tags.length > 0 && (
    <ul className="cluster" aria-label="Tags">
      {tags.map(({ id, text }) => (
        <li key={id}>
          <Chip>{text}</Chip>
        </li>
      ))}
    </ul>
  );
