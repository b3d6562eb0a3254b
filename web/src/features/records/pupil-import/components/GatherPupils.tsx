import { Button } from '../../../../ui/Button.tsx';
import { Textarea } from '../../../../ui/Field.tsx';
import { useState, type ClipboardEvent, type FormEvent } from 'react';
import { UPLOAD_BYTES } from '#contract/limits.ts';
import { useOpenWork } from '../../../../shared/unsaved-work.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { ErrorSummary } from '../../../../ui/ErrorSummary.tsx';
import { FileDrop } from '../../../../ui/FileDrop.tsx';
import type { Source } from '../pupil-import.api.ts';
import { Card } from '../../../../ui/Card.tsx';
import { SideBySide } from '../../../../ui/SideBySide.tsx';
import css from '../AddPupilsPage.module.css';
import { fieldOf, TypedNames } from './TypedNames.tsx';

interface Props {
  names: readonly string[];
  onNames: (names: string[]) => void;
  onSource: (source: Source, title: string, more: readonly string[]) => void;
  isBusy: boolean;
  error: unknown;
}

const TEMPLATE = '/v1/templates/pupils.xlsx';
const filled = (names: readonly string[]) => names.filter((name) => name.trim() !== '');

/** Three ways to enter names: typing, pasting, or a file. */
export function GatherPupils({ names, onNames, onSource, isBusy, error }: Props) {
  const [attempt, setAttempt] = useState(0);
  const [pasted, setPasted] = useState('');
  useOpenWork(pasted.trim() !== '');
  const isFirstMissing = attempt > 0 && names[0]?.trim() === '';
  const problems: Record<number, string> = isFirstMissing ? { 0: "Enter the pupil's name." } : {};

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (names[0]?.trim() === '') return setAttempt((tries) => tries + 1);
    onSource({ kind: 'rows', pupils: filled(names).map((name) => ({ name })) }, 'The names you typed', []);
  };
  const takeText = (text: string) => onSource({ kind: 'text', text }, 'What you pasted', filled(names));
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain');
    if (text.trim() === '') return;
    event.preventDefault();
    takeText(text);
  };

  return (
    <>
      <ErrorSummary errors={isFirstMissing ? [{ field: fieldOf(0), text: problems[0] }] : []} attempt={attempt} />
      {error !== null && <ErrorNotice error={error} lost="Nothing has been added." />}
      <SideBySide>
        <Card aria-labelledby="typed-title">
          <h2 id="typed-title">Type the names</h2>
          <form method="post" onSubmit={submit} noValidate>
            <TypedNames names={names} onChange={onNames} onPasteTable={takeText} problems={problems} />
            <Button type="submit" loading={isBusy} className={css.next}>
              Check the names
            </Button>
          </form>
        </Card>
        <Card aria-labelledby="sheet-title" className={`stack-l ${css.sheet}`}>
          <h2 id="sheet-title">Or upload a spreadsheet</h2>
          <FileDrop
            label="Choose a spreadsheet"
            hint="or drop it here: xlsx, xls, ods, csv, tsv or txt, up to 10 MB"
            endings={['csv', 'tsv', 'txt', 'xls', 'xlsx', 'ods']}
            maxBytes={UPLOAD_BYTES}
            isBusy={isBusy}
            onFile={(file) => onSource({ kind: 'file', file }, file.name, filled(names))}
          />
          <Textarea
            label="Or paste the cells"
            description="Select them in your spreadsheet, copy them, and paste them here."
            rows={3}
            value={pasted}
            onChange={(event) => setPasted(event.currentTarget.value)}
            onPaste={onPaste}
            autoComplete="off"
            spellCheck={false}
          />
          {pasted.trim() !== '' && (
            <Button variant="default" loading={isBusy} onClick={() => takeText(pasted)}>
              Check the list
            </Button>
          )}
          <p className="soft flat">
            You can use any list: names in one or two columns, with or without a class column. You can check how we read
            it before anything is saved. To start with an empty one,{' '}
            <a href={TEMPLATE} download>
              download the template
            </a>
            .
          </p>
        </Card>
      </SideBySide>
    </>
  );
}
