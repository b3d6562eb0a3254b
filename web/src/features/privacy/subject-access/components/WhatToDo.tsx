import { Link } from '../../../../ui/Link.tsx';
import type { SubjectRequest } from '#contract/calls/subject-requests.ts';
import { paths } from '../../../../paths.ts';

/** Where the data is that a request to correct, erase or stop using is about. */
export function WhatToDo({ request: { kind, subject } }: { request: SubjectRequest }) {
  const isPupil = subject.kind === 'pupil';
  const place = isPupil ? (
    subject.is_former ? (
      <Link to={paths.archive()}>Archive</Link>
    ) : (
      <Link to={paths.pupil(subject.id)}>the pupil’s page</Link>
    )
  ) : (
    <Link to={subject.is_former ? paths.dataAndPrivacy() : paths.teachers()}>
      {subject.is_former ? 'Data and privacy' : 'Teachers'}
    </Link>
  );
  if (kind === 'rectification')
    return (
      <p>Correct it on {place}, tell everyone to whom you passed the wrong data, and tell the person what you did.</p>
    );
  if (kind === 'objection')
    return (
      <p>
        Stop using the data in this way while you decide. You may only go on if you have a compelling reason that weighs
        more than the person’s, such as a duty in law.
      </p>
    );
  return isPupil ? (
    <p>
      Delete single notes on {place}. To erase everything, delete the pupil on <Link to={paths.pupils()}>Pupils</Link>{' '}
      and press <strong>Erase now</strong> on <Link to={paths.archive()}>Archive</Link>: this closes the request too.
      You may have to keep data that you need for a task in law.
    </p>
  ) : (
    <p>
      To erase the account, remove the person on <Link to={paths.teachers()}>Teachers</Link> and press{' '}
      <strong>Erase</strong> under Former staff on <Link to={paths.dataAndPrivacy()}>Data and privacy</Link>: this
      closes the request too. You may have to keep data that you need for a task in law.
    </p>
  );
}
