import { IconUpload } from '@tabler/icons-react';
import { useId, useState, type DragEvent } from 'react';
import css from './FileDrop.module.css';

interface Props {
  /** What to choose: `Choose a spreadsheet`. */
  label: string;
  /** A hint below it: which files are accepted. */
  hint: string;
  /** Endings of names: `['csv', 'xls', 'xlsx']`. */
  endings: readonly string[];
  maxBytes: number;
  onFile: (file: File) => void;
  isBusy?: boolean;
}

/** A field to drop a file on, or to choose one by click or keyboard. Rejects unsupported files at once. */
export function FileDrop({ label, hint, endings, maxBytes, onFile, isBusy = false }: Props) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);

  const take = (file: File | undefined) => {
    if (!file || isBusy) return;
    // `Class list 12.09.26` has no ending: the server looks at what is in it.
    const ending = /\.([a-z][a-z0-9]{1,4})$/i.exec(file.name)?.[1]?.toLowerCase();
    const formats = endings.map((name) => name.toUpperCase());
    const problem =
      ending !== undefined && !endings.includes(ending)
        ? `${file.name} is not a ${formats.slice(0, -1).join(', ')} or ${formats.at(-1)} file. Save the list in one of these formats and choose it again.`
        : file.size === 0
          ? `${file.name} is empty.`
          : file.size > maxBytes
            ? `${file.name} is too large. A file may have up to ${Math.round(maxBytes / 1024 / 1024)} MB.`
            : null;
    setWrong(problem);
    if (!problem) onFile(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  };

  return (
    <div>
      <label
        className={css.zone}
        data-over={isOver || undefined}
        data-busy={isBusy || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <IconUpload size={28} aria-hidden />
        <span className={css.label}>{isBusy ? 'Reading the file' : label}</span>
        <span id={`${id}-hint`} className="soft small">
          {hint}
        </span>
        <input
          type="file"
          accept={endings.map((ending) => `.${ending}`).join(',')}
          aria-describedby={`${id}-hint${wrong ? ` ${id}-wrong` : ''}`}
          aria-invalid={wrong !== null || undefined}
          disabled={isBusy}
          onChange={(event) => {
            take(event.currentTarget.files?.[0]);
            // The same file again, once it is corrected, is a choice too.
            event.currentTarget.value = '';
          }}
        />
      </label>
      <p id={`${id}-wrong`} className={css.wrong} role="alert">
        {wrong}
      </p>
    </div>
  );
}
