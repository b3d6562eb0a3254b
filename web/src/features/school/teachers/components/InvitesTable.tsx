import { Button } from '../../../../ui/Button.tsx';
import { useState } from 'react';
import type { Invite } from '#contract/calls/invites.ts';
import { ROLE_TEXTS } from '#contract/permissions.ts';
import { paths } from '../../../../paths.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { formatDate, fullName } from '../../../../shared/format.ts';
import { currentTime } from '../../../../shared/page-scope.ts';
import { useSchoolId, useUser } from '../../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../../shared/use-prefetched-query.ts';
import { MenuButton } from '../../../../ui/ActionMenu.tsx';
import { ButtonLink } from '../../../../ui/ButtonLink.tsx';
import { Confirm } from '../../../../ui/Confirm.tsx';
import { DataTable, type Column, type RowModel } from '../../../../ui/DataTable.tsx';
import { DeliveryLine } from '../../../../ui/DeliveryLine.tsx';
import { EmailText } from '../../../../ui/EmailText.tsx';
import { EmptyState } from '../../../../ui/EmptyState.tsx';
import { DEFAULT_SUCCESS, showToast } from '../../../../ui/toasts.ts';
import { invitesQuery, useRemoveInvite, useResendInvite } from '../teachers.api.ts';
import { announce } from '../../../../shared/announcements.ts';

const STATUS: Record<Invite['status'], string> = {
  pending: 'Pending',
  accepted: 'Accepted',
  expired: 'Expired',
  declined: 'Declined',
};

/** The email of an invitation waits until its sender has confirmed their own address. */
const waitsForMe = ({ is_held, inviter }: Invite, me: number): boolean => is_held && inviter?.id === me;

function statusText(invite: Invite, me: number): string {
  if (!invite.is_held || !invite.inviter) return STATUS[invite.status];
  const who = waitsForMe(invite, me) ? 'you have confirmed your' : `${fullName(invite.inviter)} has confirmed their`;
  return `Will be sent once ${who} address`;
}

const positionText = ({ role, groups: classes }: Invite): string =>
  [ROLE_TEXTS[role].name, ...classes.map(({ name }) => name)].join(', ');

const READ_ONLY_ROWS: RowModel<Invite, Invite> = {
  key: ({ id }) => id,
  name: ({ email }) => email,
};
const ROW_MODEL: RowModel<Invite, Invite> = {
  ...READ_ONLY_ROWS,
  menu: (invite, onDelete) =>
    invite.status === 'pending' && (
      <MenuButton label={`Delete the invitation to ${invite.email}`} onClick={() => onDelete(invite)}>
        Delete
      </MenuButton>
    ),
};

/** Invitations, which can be sent again or deleted. */
export function InvitesTable({ canInvite, canDelete }: { canInvite: boolean; canDelete: boolean }) {
  const schoolId = useSchoolId();
  const me = useUser().id;
  const invites = usePrefetchedQuery(invitesQuery(schoolId));
  const remove = useRemoveInvite(schoolId);
  const [inviteToDelete, setInviteToDelete] = useState<Invite | null>(null);

  const columns: Column<Invite>[] = [
    { id: 'email', header: 'Email', cell: ({ email }) => <EmailText email={email} /> },
    { id: 'name', header: 'Name', cell: ({ name }) => name || '–' },
    { id: 'position', header: 'Joins as', cell: positionText },
    {
      id: 'status',
      header: 'Status',
      cell: (invite) => (
        <>
          {statusText(invite, me)}
          {invite.status === 'pending' && !invite.is_held && (
            <DeliveryLine
              delivery={invite.delivery}
              advice="Check the address, and invite them again with the right one."
            />
          )}
        </>
      ),
    },
    { id: 'created', header: 'Created', isOneLine: true, cell: ({ created_at }) => formatDate(created_at) },
    {
      id: 'expires',
      header: 'Expires',
      isOneLine: true,
      cell: ({ expires_at }) => (Date.parse(expires_at) > currentTime() ? formatDate(expires_at) : ''),
    },
    { id: 'inviter', header: 'Invited by', cell: ({ inviter }) => (inviter ? fullName(inviter) : '') },
    {
      id: 'resend',
      header: 'Send again',
      isHeaderHidden: true,
      align: 'end',
      isOneLine: true,
      cell: (invite) =>
        canInvite &&
        (invite.status === 'pending' || invite.status === 'expired') &&
        !waitsForMe(invite, me) && <Resend invite={invite} />,
    },
  ];

  return (
    <section aria-labelledby="invites-title">
      <h2 id="invites-title">Invitations</h2>
      <DataTable
        label="Invitations"
        needsRoom
        columns={columns}
        rows={invites.data?.invites}
        rowModel={canDelete ? ROW_MODEL : READ_ONLY_ROWS}
        onRowAction={setInviteToDelete}
        noun={['invitation', 'invitations']}
        failure={
          invites.error && !invites.data && <ErrorNotice error={invites.error} onRetry={() => void invites.refetch()} />
        }
        empty={
          <EmptyState
            title="No invitations yet"
            action={canInvite && <ButtonLink to={paths.addTeacher()}>Add Teacher</ButtonLink>}
          >
            Invitations to teachers will be listed here until they are accepted.
          </EmptyState>
        }
      />
      <Confirm
        isOpen={inviteToDelete !== null}
        onClose={() => setInviteToDelete(null)}
        title={`Delete the invitation to ${inviteToDelete?.email ?? ''}?`}
        action="Delete invitation"
        isDangerous
        lost="The invitation has not been deleted."
        onConfirm={async () => {
          if (!inviteToDelete) return;
          await remove.mutateAsync(inviteToDelete.id);
          showToast(DEFAULT_SUCCESS, { detail: `The invitation to ${inviteToDelete.email} has been deleted` });
        }}
      >
        <p>The link in the email no longer works. You can invite the teacher again.</p>
      </Confirm>
    </section>
  );
}

/** Sends an invitation again. A failure resets the button without a message, as the specification requires. */
function Resend({ invite }: { invite: Invite }) {
  const resend = useResendInvite(useSchoolId());
  const text = resend.isPending ? 'Resending' : resend.isSuccess ? 'Resent' : 'Resend';
  return (
    <Button
      variant="subtle"
      size="compact-md"
      aria-label={`${text} the invitation to ${invite.email}`}
      disabled={resend.isPending || resend.isSuccess}
      onClick={() =>
        resend.mutate(invite.id, { onSuccess: () => announce(`Resent the invitation to ${invite.email}`) })
      }
    >
      {text}
    </Button>
  );
}
