import { Link } from '../../../../ui/Link.tsx';
import type { SubjectRequest } from '#contract/calls/subject-requests.ts';
import { paths } from '../../../../paths.ts';
import { can } from '../../../../shared/can.ts';
import { useUser } from '../../../../shared/session.ts';

/** Where the data is that a request to correct, erase or stop using is about: as links for a user who can change it there. */
export function WhatToDo({ request: { kind, subject } }: { request: SubjectRequest }) {
  const isPupil = subject.kind === 'pupil';
  const canOpen = can(useUser(), 'delete_pupil');
  const link = (to: string, name: string) => (canOpen ? <Link to={to}>{name}</Link> : name);
  const archive = link(paths.archive(), 'Archive');
  const teachers = <Link to={paths.teachers()}>Teachers</Link>;
  const dataAndPrivacy = <Link to={paths.dataAndPrivacy()}>Data and privacy</Link>;
  const pupilPlace = subject.is_former ? archive : link(paths.pupil(subject.id), 'the pupil’s page');
  const place = isPupil ? pupilPlace : subject.is_former ? dataAndPrivacy : teachers;
  const admin = canOpen ? null : 'Ask an admin to do it. ';
  if (kind === 'rectification')
    return (
      <p>
        Correct it on {place}, tell everyone to whom you passed the wrong data, and tell the person what you did.{' '}
        {admin}
      </p>
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
      Delete single notes on {place}. To erase everything, delete the pupil on {link(paths.pupils(), 'Pupils')} and
      press <strong>Erase now</strong> on {archive}: this closes the request too. {admin}You may have to keep data that
      you need for a task in law.
    </p>
  ) : (
    <p>
      To erase the account, remove the person on {teachers} and press <strong>Erase</strong> under Former staff on{' '}
      {dataAndPrivacy}: this closes the request too. {admin}You may have to keep data that you need for a task in law.
    </p>
  );
}
