import { Button } from '@mantine/core';
import { useState } from 'react';
import type { School } from '#contract/calls/school.ts';
import { DAYS_TO_CLOSE, DAYS_TO_ERASE } from '#contract/calls/school-closing.ts';
import { formatDate } from '../../../../shared/format.ts';
import { useUser } from '../../../../shared/session.ts';
import { Confirm } from '../../../../ui/Confirm.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { SchoolDownload } from '../../../school/school/school.public.ts';
import { useCancelClosing, useConfirmClosing, useRequestClosing } from '../data-and-privacy.api.ts';
import css from './ClosingSection.module.css';

const INVOICES = 'We keep invoices for as long as the law requires. An open invoice is still due.';

/** Asking to close the school, confirming it, and reopening it. For admins. */
export function ClosingSection({ school: { id, name, closing } }: { school: School }) {
  const user = useUser();
  const cancel = useCancelClosing(id);
  const isMine = closing?.requested_by?.id === user.id;
  return (
    <>
      <p>{describe(closing)}</p>
      {closing && <SchoolDownload />}
      {cancel.error && <ErrorNotice error={cancel.error} />}
      <div className={css.actions}>
        {!closing && <AskToClose id={id} name={name} />}
        {closing && !closing.closed_at && !isMine && <ConfirmClosing id={id} name={name} />}
        {closing && (
          <Button
            variant="default"
            loading={cancel.isPending}
            onClick={() =>
              cancel.mutate(undefined, {
                onSuccess: () => showToast(closing.closed_at ? 'The school is open again' : 'The request is withdrawn'),
              })
            }
          >
            {closing.closed_at ? 'Reopen the school' : 'Withdraw the request'}
          </Button>
        )}
      </div>
    </>
  );
}

function describe(closing: School['closing']): string {
  if (!closing)
    return `If your school leaves, you can close it here. Another admin confirms it, or it closes after ${DAYS_TO_CLOSE} days. For ${DAYS_TO_ERASE} days you can then still read, download and reopen it. After that we erase it.`;
  if (closing.closed_at)
    return `The school is closed. Pupils cannot log in, and nothing can be changed. Staff can read and download everything until ${formatDate(closing.erase_at ?? closing.closed_at)}. After that day we erase the school. ${INVOICES}`;
  const who = closing.requested_by?.name ?? 'A former admin';
  return `${who} has asked to close the school. Another admin can confirm it now. Otherwise it closes on ${formatDate(closing.takes_effect_at)}.`;
}

function AskToClose({ id, name }: { id: number; name: string }) {
  const request = useRequestClosing(id);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" c="var(--danger)" onClick={() => setOpen(true)}>
        Close the school
      </Button>
      <Confirm
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={`Ask to close ${name}?`}
        action="Ask to close"
        isDangerous
        lost="The school has not been changed."
        onConfirm={async () => {
          await request.mutateAsync(undefined);
          showToast('All admins get an email');
        }}
      >
        <p>
          Another admin can confirm it at once. Otherwise the school closes after {DAYS_TO_CLOSE} days. Any admin can
          withdraw the request before. Until then everything works as now.
        </p>
      </Confirm>
    </>
  );
}

function ConfirmClosing({ id, name }: { id: number; name: string }) {
  const confirm = useConfirmClosing(id);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" c="var(--danger)" onClick={() => setOpen(true)}>
        Confirm closing
      </Button>
      <Confirm
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={`Close ${name} now?`}
        action="Close the school now"
        isDangerous
        lost="The school has not been closed."
        onConfirm={async () => {
          await confirm.mutateAsync(undefined);
          showToast('The school is closed');
        }}
      >
        <p>
          Pupils are logged out and cannot log in. Staff can only read and download. Pending invitations end. After{' '}
          {DAYS_TO_ERASE} days we erase the school. Until then any admin can reopen it. {INVOICES}
        </p>
      </Confirm>
    </>
  );
}
