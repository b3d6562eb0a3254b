import { Button } from '../../../../ui/Button.tsx';
import { useState } from 'react';
import { BLACKED_OUT, type Passage, type SubjectText } from '#contract/calls/subject-requests.ts';
import { count } from '../../../../shared/format.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { DialogButtons } from '../../../../ui/DialogForm.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { isCovered, passagesOf, wordsOf } from '../model/black-out.ts';
import { useAnnouncement } from '../../../../ui/use-announcement.ts';
import css from './BlackOutDialog.module.css';

interface Props {
  text: SubjectText | null;
  onSave: (text: SubjectText, passages: Passage[]) => Promise<unknown>;
  onClose: () => void;
}

/** Chooses the words of a text that are blacked out in the file. Each word is a button. */
export const BlackOutDialog = ({ text, onSave, onClose }: Props) => (
  <Dialog isOpen={text !== null} onClose={onClose} title="Black out words" size="lg">
    {text && <Words text={text} onSave={onSave} onClose={onClose} />}
  </Dialog>
);

function Words({ text, onSave, onClose }: Props & { text: SubjectText }) {
  const words = wordsOf(text.text);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(
    () => new Set(words.flatMap((word, index) => (isCovered(word, text.blacked_out) ? index : []))),
  );
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const blackedOut = `${count(chosen.size, 'word')} blacked out`;
  useAnnouncement(blackedOut);
  const toggle = (index: number) => {
    const next = new Set(chosen);
    if (!next.delete(index)) next.add(index);
    setChosen(next);
  };
  const save = async () => {
    setSaving(true);
    setError(null);
    try {
      await onSave(text, passagesOf(words, chosen));
      onClose();
    } catch (failure) {
      setError(failure);
      setSaving(false);
    }
  };
  return (
    <>
      <p>
        Press each word that is about someone else. In the file, {BLACKED_OUT} replaces it. The note itself does not
        change.
      </p>
      <div className={css.words} role="group" aria-label="Words of the text">
        {words.map(({ from, to }, index) => (
          <button
            key={from}
            type="button"
            className={css.word}
            aria-pressed={chosen.has(index)}
            onClick={() => toggle(index)}
          >
            {text.text.slice(from, to)}
          </button>
        ))}
      </div>
      <p className="flat above-m">{blackedOut}</p>
      {error !== null && <ErrorNotice error={error} />}
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={isSaving} onClick={() => void save()}>
          Save
        </Button>
      </DialogButtons>
    </>
  );
}
