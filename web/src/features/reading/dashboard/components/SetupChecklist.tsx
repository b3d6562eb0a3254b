import type { School } from '#contract/calls/school.ts';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { Button } from '../../../../ui/Button.tsx';
import { useState } from 'react';
import { Link } from '../../../../ui/Link.tsx';
import { paths } from '../../../../paths.ts';
import { canAssignBooks } from '../../../../shared/can.ts';
import { count } from '../../../../shared/format.ts';
import { getPreference, setPreference } from '../../../../shared/preferences.ts';
import { useUser } from '../../../../shared/session.ts';
import css from './SetupChecklist.module.css';

interface Step {
  text: string;
  detail: string;
  to: string;
  isDone: boolean;
}

/** The steps that a new school takes before its dashboard has data, each with a link. */
export function SetupChecklist({ school, canInvite }: { school: School; canInvite: boolean }) {
  const user = useUser();
  const { setup } = school;
  const classes = school.groups.filter(({ user_manages }) => canAssignBooks(user, user_manages));
  const firstClass = classes.find(({ readers_count: pupilCount }) => pupilCount > 0) ?? classes[0];
  const steps: Step[] = [
    ...(canInvite
      ? [
          {
            text: 'Invite other teachers',
            detail: 'Each looks after a class.',
            to: paths.addTeacher(),
            isDone: setup.has_setup_teachers,
          },
        ]
      : []),
    {
      text: 'Create classes',
      detail: 'As your school has them: each can have a teacher in charge.',
      to: paths.classes(),
      isDone: setup.has_setup_classes,
    },
    {
      text: 'Add pupils',
      detail: 'Typed, pasted or from a file, with logins to print.',
      to: paths.addPupilsToSchool(),
      isDone: setup.has_setup_pupils,
    },
    {
      text: 'Assign books',
      detail: 'To a whole class at once, or to a single pupil.',
      to: firstClass ? paths.classBooks(firstClass.id) : paths.classes(),
      isDone: setup.has_setup_assigned_books,
    },
  ];
  const done = steps.filter(({ isDone }) => isDone).length;
  const [isHidden, setHidden] = useState(() => getPreference('checklist') === 'away');
  const hide = (shouldHide: boolean) => {
    setPreference('checklist', shouldHide ? 'away' : null);
    setHidden(shouldHide);
  };
  if (isHidden)
    return (
      <section className={`sheet ${css.card}`} aria-label="Charts">
        <p className="soft">The charts appear here once pupils have read.</p>
        <Button variant="default" onClick={() => hide(false)}>
          Show how to set up
        </Button>
      </section>
    );

  return (
    <section className={`sheet ${css.card}`} aria-labelledby="setup-title">
      <h2 id="setup-title">{done === steps.length ? 'All set up' : 'Set up your school'}</h2>
      <p className="soft">
        {done === steps.length
          ? 'The charts appear here as soon as the first pupil has read.'
          : `${done} of ${count(steps.length, 'step')} done. The charts appear here once pupils have read.`}
      </p>
      <ol className={css.steps}>
        {steps.map(({ text, detail, to, isDone }) => (
          <li key={text} data-done={isDone || undefined}>
            <Link to={to}>
              {isDone ? (
                <IconCircleCheckFilled size={26} role="img" aria-label="Done" />
              ) : (
                <IconCircle size={26} role="img" aria-label="To do" />
              )}
              <span>
                <strong>{text}</strong>
                <span className="soft">{detail}</span>
              </span>
            </Link>
          </li>
        ))}
      </ol>
      <Button className="flush" variant="subtle" onClick={() => hide(true)}>
        Hide this list
      </Button>
    </section>
  );
}
