import type { Class, School } from '#contract/calls/school.ts';
import { ROLE_TEXTS } from '#contract/permissions.ts';
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
  /** All classes of the school; null for users who do not see them all. */
  classes: readonly Class[] | null;
  /** The signed-in user, who has no actions for themselves. */
  me: number;
  isAdmin: boolean;
  /** Whether the pages of classes are available. */
  hasClassPages: boolean;
  onPromote: (member: StaffMember, admin: boolean) => void;
  onRole: (member: StaffMember) => void;
  onDelete: (member: StaffMember) => void;
  onResetFactors: (member: StaffMember) => void;
  /** ID of the member whose change is being saved. */
  pendingId: number | null;
  failure: ReactNode;
}

const classesColumn = (classes: readonly Class[], hasClassPages: boolean): Column<StaffMember> => ({
  id: 'classes',
  header: 'Classes',
  cell: (member) => {
    const memberClasses = classes.filter(({ teachers, assistants }) =>
      [...teachers, ...assistants].some(({ id }) => id === member.id),
    );
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
});

/** The staff of the school, and an admin's actions for each. */
export function StaffTable({
  staff,
  classes,
  me,
  isAdmin,
  hasClassPages,
  onPromote,
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
      cell: ({ role }) => ROLE_TEXTS[role].name,
    },
    ...(classes ? [classesColumn(classes, hasClassPages)] : []),
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
            onPromote={onPromote}
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
  onPromote,
  onRole,
  onDelete,
  onResetFactors,
}: Pick<Props, 'onPromote' | 'onRole' | 'onDelete' | 'onResetFactors'> & {
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
            onClick={() => onPromote(member, !isAdmin)}
          >
            {verb}
          </MenuButton>
          <MenuButton
            label={`Change role of ${fullName(member)}`}
            disabledReason={disabledReason}
            onClick={() => onRole(member)}
          >
            Change role
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
