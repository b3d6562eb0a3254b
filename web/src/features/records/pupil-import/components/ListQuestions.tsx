import { useState } from 'react';
import { RadioButtons } from '../../../../ui/Checkbox.tsx';
import type { ImportQuestion } from '#contract/calls/pupil-import.ts';
import { count } from '../../../../shared/format.ts';
import { isOpen } from '../model/questions.ts';
import css from './ListQuestions.module.css';

interface Props {
  questions: readonly ImportQuestion[];
  /** Rows were corrected, which reading the list again would undo. */
  isEdited: boolean;
  /** The list is being read again with an answer. */
  isBusy: boolean;
  /** All answers that were chosen here. */
  onAnswer: (answers: Readonly<Record<string, string>>) => void;
}

/** Start of the questions that must be answered. */
export function focusFirstQuestion(): void {
  const choice = document.querySelector<HTMLElement>('[data-open-question] input');
  choice?.scrollIntoView({ block: 'center' });
  choice?.focus({ preventScroll: true });
}

/** What was guessed about the list, each with the answer that was assumed. Those that must be answered come first. */
export function ListQuestions({ questions, isEdited, isBusy, onAnswer }: Props) {
  // An answer is shown before the list has been read with it, and goes with the next one.
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const answer = (id: string, value: string) => {
    const answers = { ...chosen, [id]: value };
    setChosen(answers);
    onAnswer(answers);
  };
  const answerOf = (question: ImportQuestion) =>
    (isBusy ? chosen[question.id] : undefined) ?? (isOpen(question) ? null : question.answer);
  if (questions.length === 0) return null;
  const open = questions.filter(isOpen).length;
  return (
    <section aria-labelledby="questions-title" className={`box ${css.root}`} data-open={open > 0 || undefined}>
      <h2 id="questions-title">
        {open > 0 ? `${count(open, 'question')} to answer first` : count(questions.length, 'question')}
      </h2>
      <ul className="plain">
        {questions.map((question) => (
          <li key={question.id} className={css.question} data-open-question={isOpen(question) || undefined}>
            {isEdited ? (
              <p>
                {question.text} <strong>{question.choices.find(({ value }) => value === question.answer)?.text}</strong>
              </p>
            ) : (
              <RadioButtons
                name={`question-${question.id}`}
                label={question.text}
                value={answerOf(question)}
                onChange={(value) => answer(question.id, value)}
                data={question.choices.map(({ value, text }) => ({ value, label: text }))}
              />
            )}
          </li>
        ))}
      </ul>
      {isEdited && <p className="note">You cannot change the answers after correcting rows. To do so, start again.</p>}
    </section>
  );
}
