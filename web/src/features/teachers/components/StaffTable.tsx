import type { School } from '#contract/calls/school.ts';
import type { ReactNode } from 'react';
import { DataTable, type Column } from '../../../ui/DataTable.tsx';
import { EmailText } from '../../../ui/EmailText.tsx';
import { DisabledReasonButton } from '../../../ui/DisabledReasonButton.tsx';
import css from './StaffTable.module.css';

export type StaffMember = School['users'][number];

interface Props {
  staff: readonly StaffMember[] | undefined;
  /** The signed-in person: nothing is offered for oneself. */
  me: number;
  isAdmin: boolean;
  onRole: (member: StaffMember, admin: boolean) => void;
  onDelete: (member: StaffMember) => void;
  /** Id of the member whose change is on its way. */
  pendingId: number | null;
  failure: ReactNode;
}

export const fullName = ({ first_name, last_name }: { first_name: string; last_name: string }) =>
  `${first_name} ${last_name}`;

/** The staff of the school, and what an administrator can do with each. */
export function StaffTable({ staff, me, isAdmin, onRole, onDelete, pendingId, failure }: Props) {
  const admins = staff?.filter(({ enterprise_user_role: role }) => role === 'admin').length ?? 0;
  const columns: Column<StaffMember>[] = [
    { id: 'name', header: 'Name', cell: (member) => `${fullName(member)}${member.id === me ? ' (you)' : ''}` },
    { id: 'email', header: 'Email', cell: ({ email }) => <EmailText email={email} /> },
    {
      id: 'role',
      header: 'Role',
      cell: ({ enterprise_user_role: role }) => (role === 'admin' ? 'Admin' : 'Teacher'),
    },
  ];
  if (isAdmin)
    columns.push({
      id: 'actions',
      header: 'Actions',
      isHeaderHidden: true,
      align: 'end',
      cell: (member) => {
        if (member.id === me) return null;
        const isAnAdmin = member.enterprise_user_role === 'admin';
        const name = fullName(member);
        const disabledReason = isAnAdmin && admins === 1 ? 'A school needs an admin.' : undefined;
        return (
          <div className={css.actions}>
            <DisabledReasonButton
              variant="subtle"
              size="compact-md"
              side="above"
              aria-label={`${isAnAdmin ? 'Demote' : 'Promote'} ${name}`}
              disabledReason={disabledReason}
              loading={pendingId === member.id}
              onClick={() => onRole(member, !isAnAdmin)}
            >
              {isAnAdmin ? 'Demote' : 'Promote'}
            </DisabledReasonButton>
            <DisabledReasonButton
              variant="subtle"
              color="brick"
              size="compact-md"
              side="above"
              aria-label={`Delete ${name}`}
              disabledReason={disabledReason}
              onClick={() => onDelete(member)}
            >
              Delete
            </DisabledReasonButton>
          </div>
        );
      },
    });
  return (
    <DataTable
      label="Teachers"
      columns={columns}
      rows={staff}
      rowKey={({ id }) => id}
      noun={['teacher', 'teachers']}
      empty="No teachers yet"
      failure={failure}
    />
  );
}
