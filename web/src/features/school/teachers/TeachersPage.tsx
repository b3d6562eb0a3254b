import { Button } from '../../../ui/Button.tsx';
import { useState } from 'react';
import { downloadCalls } from '#contract/calls/downloads.ts';
import { paths } from '../../../paths.ts';
import { can, canSeeSchool } from '../../../shared/can.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { fullName } from '../../../shared/format.ts';
import { useSchoolId, useUser } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { Confirm } from '../../../ui/Confirm.tsx';
import { DownloadMenu } from '../../../ui/DownloadMenu.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { schoolQuery, useCanChange, useIsTeachingOpen } from '../school/school.public.ts';
import { InvitesTable } from './components/InvitesTable.tsx';
import { ChangeRoleDialog } from './components/ChangeRoleDialog.tsx';
import { LeavingDialog } from './components/LeavingDialog.tsx';
import { PermissionsDialog } from './components/PermissionsDialog.tsx';
import { ResetFactorsDialog } from './components/ResetFactorsDialog.tsx';
import { StaffTable, type StaffMember } from './components/StaffTable.tsx';
import { useSetAdmin } from './teachers.api.ts';

/** The staff of the school and, for admins, the invitations. */
export default function TeachersPage() {
  const user = useUser();
  const schoolId = useSchoolId();
  const result = usePrefetchedQuery(schoolQuery(schoolId));
  const school = result.data?.enterprise;
  const isAdmin = can(user, 'edit_teacher', school);
  const isTeachingOpen = useIsTeachingOpen();
  const canChange = useCanChange();
  const setAdmin = useSetAdmin(schoolId);
  const [showsPermissions, setShowsPermissions] = useState(false);
  const [memberToPromote, setMemberToPromote] = useState<StaffMember | null>(null);
  const [memberToDemote, setMemberToDemote] = useState<StaffMember | null>(null);
  const [memberToDelete, setMemberToDelete] = useState<StaffMember | null>(null);
  const [memberForRole, setMemberForRole] = useState<StaffMember | null>(null);
  const [memberToReset, setMemberToReset] = useState<StaffMember | null>(null);
  const classes = school?.groups ?? [];

  return (
    <>
      <PageHeader
        title="Teachers"
        actions={
          <>
            {isTeachingOpen && can(user, 'manage_classes', school) && (
              <DownloadMenu
                label="Download the teachers"
                path={downloadCalls.exportTeachers.path}
                params={{ id: schoolId }}
                name="teachers"
              />
            )}
            {isAdmin && (
              <>
                <Button variant="default" onClick={() => setShowsPermissions(true)}>
                  View Permissions
                </Button>
                {isTeachingOpen && canChange && <ButtonLink to={paths.addTeacher()}>Add Teacher</ButtonLink>}
              </>
            )}
          </>
        }
      />
      <div className="below-3xl">
        <StaffTable
          staff={school?.users}
          classes={canSeeSchool(user) ? classes : null}
          me={user.id}
          isAdmin={isAdmin}
          canChange={canChange}
          hasClassPages={isTeachingOpen}
          pendingId={setAdmin.isPending ? setAdmin.variables.userId : null}
          onRole={setMemberForRole}
          onPromote={(member, admin) => {
            setAdmin.reset();
            if (admin) setMemberToPromote(member);
            else setMemberToDemote(member);
          }}
          onDelete={setMemberToDelete}
          onResetFactors={setMemberToReset}
          failure={
            result.error && !result.data && <ErrorNotice error={result.error} onRetry={() => void result.refetch()} />
          }
        />
      </div>
      {isAdmin && <InvitesTable canInvite={isTeachingOpen && canChange} canDelete={canChange} />}
      <ChangeRoleDialog member={memberForRole} classes={classes} onClose={() => setMemberForRole(null)} />
      <LeavingDialog
        member={memberToDelete}
        staff={school?.users ?? []}
        classes={classes}
        onClose={() => setMemberToDelete(null)}
      />
      <ResetFactorsDialog member={memberToReset} onClose={() => setMemberToReset(null)} />
      <PermissionsDialog isOpen={showsPermissions} onClose={() => setShowsPermissions(false)} />
      <Confirm
        isOpen={memberToPromote !== null}
        onClose={() => {
          setAdmin.reset();
          setMemberToPromote(null);
        }}
        title={`Make ${memberToPromote ? fullName(memberToPromote) : ''} an admin?`}
        action="Promote"
        lost="The teacher has not been promoted."
        onConfirm={async () => {
          if (!memberToPromote) return;
          await setAdmin.mutateAsync({ userId: memberToPromote.id, admin: true });
          showToast('The teacher has ben promoted', { detail: fullName(memberToPromote) });
        }}
      >
        <p>
          An admin sees and changes every class and pupil, can delete pupils and staff for good, and manages the
          subscription and its invoices. You can take this back at any time.
        </p>
      </Confirm>
      <Confirm
        isOpen={memberToDemote !== null}
        onClose={() => {
          setAdmin.reset();
          setMemberToDemote(null);
        }}
        title={`Make ${memberToDemote ? fullName(memberToDemote) : ''} a teacher?`}
        action="Demote"
        lost="The teacher is still an admin."
        onConfirm={async () => {
          if (!memberToDemote) return;
          await setAdmin.mutateAsync({ userId: memberToDemote.id, admin: false });
          showToast('The teacher has been demoted', { detail: fullName(memberToDemote) });
        }}
      >
        <p>
          A teacher changes only their own classes and the pupils in them, and cannot manage staff, the subscription or
          invoices. You can promote them again at any time.
        </p>
      </Confirm>
    </>
  );
}
