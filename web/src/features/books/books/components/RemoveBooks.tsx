import { Confirm } from '../../../../ui/Confirm.tsx';
import { count } from '../../../../shared/format.ts';

interface Props {
  /** The books to remove, which stay visible while the dialog closes. */
  removal: { bookIds: readonly number[]; title: string | null } | null;
  isOpen: boolean;
  isClass: boolean;
  /** Of the class or the pupil. */
  name: string;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before books are removed. */
export function RemoveBooks({ removal, isOpen, isClass, name, onClose, onConfirm }: Props) {
  const books = removal?.bookIds.length ?? 0;
  const isOne = books === 1;
  const what = removal?.title ?? count(books, 'book');
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={`Remove ${what} from ${name}?`}
      action={`Remove from ${isClass ? 'class' : 'pupil'}`}
      onConfirm={onConfirm}
      lost="Nothing has been removed."
      isDangerous
    >
      <p>
        {isClass ? 'The pupils of the class' : name} will no longer find {isOne ? 'it' : 'them'} in the reading app
        {isClass ? `, unless ${isOne ? 'it is' : 'they are'} assigned to a pupil as well` : ''}. What was read stays in
        the reading history.
      </p>
      <p>After this we will not ask you again for 5 minutes.</p>
    </Confirm>
  );
}
