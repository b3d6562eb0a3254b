import type { Class, School } from '#contract/calls/school.ts';
import type { ReactNode } from 'react';
import { Link } from '../../../../ui/Link.tsx';
import { paths } from '../../../../paths.ts';
import { fullName } from '../../../../shared/format.ts';
import { MenuButton, MenuLink } from '../../../../ui/ActionMenu.tsx';
import { DataTable, type Column, type RowModel } from '../../../../ui/DataTable.tsx';
import { EmailText } from '../../../../ui/EmailText.tsx';

export type StaffMember = School['users'][number];

interface Props {
  /** False in a closed school. */
  canChange: boolean;
  staff: readonly StaffMember[] | undefined;
  /** All classes of the school. */
  classes: readonly Class[];
  /** The signed-in user, who has no actions for themselves. */
  me: number;
  isAdmin: boolean;
  /** Whether the pages of classes are available. */
  hasClassPages: boolean;
  onRole: (member: StaffMember, admin: boolean) => void;
  onDelete: (member: StaffMember) => void;
  onResetFactors: (member: StaffMember) => void;
  /** ID of the member whose change is being saved. */
  pendingId: number | null;
  failure: ReactNode;
}

/** The staff of the school, and an admin's actions for each. */
export function StaffTable({
  staff,
  classes,
  me,
  isAdmin,
  hasClassPages,
  onRole,
  onDelete,
  onResetFactors,
  canChange,
  pendingId,
  failure,
}: Props) {
  const admins = staff?.filter(({ enterprise_user_role: role }) => role === 'admin').length ?? 0;
  const columns: Column<StaffMember>[] = [
    { id: 'name', header: 'Name', cell: (member) => `${fullName(member)}${member.id === me ? ' (you)' : ''}` },
    { id: 'email', header: 'Email', cell: ({ email }) => <EmailText email={email} /> },
    {
      id: 'role',
      header: 'Role',
      isOneLine: true,
      cell: ({ enterprise_user_role: role }) => (role === 'admin' ? 'Admin' : 'Teacher'),
    },
    {
      id: 'classes',
      header: 'Classes',
      cell: (member) => {
        const memberClasses = classes.filter(({ teachers }) => teachers.some(({ id }) => id === member.id));
        if (memberClasses.length === 0) return <span className="soft">None</span>;
        return (
          <span className="links">
            {memberClasses.map(({ id, name }) =>
              hasClassPages ? (
                <Link key={id} to={paths.classPage(id)} className="row-link">
                  {name}
                </Link>
              ) : (
                <span key={id}>{name}</span>
              ),
            )}
          </span>
        );
      },
    },
  ];
  const rowModel: RowModel<StaffMember> = {
    key: ({ id }) => id,
    name: fullName,
    ...(isAdmin && {
      menu: (member) =>
        member.id !== me && (
          <StaffMenu
            member={member}
            isLastAdmin={admins === 1}
            canChange={canChange}
            onRole={onRole}
            onDelete={onDelete}
            onResetFactors={onResetFactors}
          />
        ),
    }),
  };
  return (
    <DataTable
      label="Teachers"
      columns={columns}
      rows={staff}
      rowModel={rowModel}
      pendingKey={pendingId}
      noun={['teacher', 'teachers']}
      empty="No teachers yet"
      failure={failure}
    />
  );
}

function StaffMenu({
  member,
  isLastAdmin,
  canChange,
  onRole,
  onDelete,
  onResetFactors,
}: Pick<Props, 'onRole' | 'onDelete' | 'onResetFactors'> & {
  member: StaffMember;
  isLastAdmin: boolean;
  canChange: boolean;
}) {
  const isAdmin = member.enterprise_user_role === 'admin';
  const verb = isAdmin ? 'Demote' : 'Promote';
  const disabledReason = isAdmin && isLastAdmin ? 'A school needs an admin.' : undefined;
  return (
    <>
      {canChange && (
        <>
          {' '}
          <MenuButton
            label={`${verb} ${fullName(member)}`}
            disabledReason={disabledReason}
            onClick={() => onRole(member, !isAdmin)}
          >
            {verb}
          </MenuButton>
          <MenuButton label={`Reset second factor of ${fullName(member)}`} onClick={() => onResetFactors(member)}>
            Reset second factor
          </MenuButton>
        </>
      )}
      <MenuLink to={paths.newSubjectRequest({ staff: member.id })} label={`Data request about ${fullName(member)}`}>
        Data request
      </MenuLink>
      {canChange && (
        <MenuButton
          label={`Delete ${fullName(member)}`}
          disabledReason={disabledReason}
          onClick={() => onDelete(member)}
        >
          Delete
        </MenuButton>
      )}
    </>
  );
}
