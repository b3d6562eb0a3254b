import { Notice } from '../../../../ui/Notice.tsx';

/** What could not be used of a file or server. */
export function FileNotes({ notes }: { notes: readonly string[] }) {
  if (notes.length <= 1) return notes.map((note) => <Notice key={note}>{note}</Notice>);
  return (
    <Notice title="What you should know about these records">
      <ul>
        {notes.map((note, index) => (
          // Two records may have the same fault.
          <li key={`${index} ${note}`}>{note}</li>
        ))}
      </ul>
    </Notice>
  );
}
