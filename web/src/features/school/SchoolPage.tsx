import { useQuery } from '@tanstack/react-query';
import { paths } from '../../paths.ts';
import { can } from '../../shared/can.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { useSchoolId, useUser } from '../../shared/use-session.ts';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../ui/PageSkeleton.tsx';
import { AuditLog } from './components/AuditLog.tsx';
import { ContactBox } from './components/ContactBox.tsx';
import { RecordingsBox } from './components/RecordingsBox.tsx';
import { schoolQuery } from './school.api.ts';
import css from './SchoolPage.module.css';

/** The school, its contacts, and for administrators what was changed. */
export default function SchoolPage() {
  const user = useUser();
  const school = useQuery(schoolQuery(useSchoolId()));
  const enterprise = school.data?.enterprise;
  const canEdit = can(user, 'edit_school', enterprise);
  const contactOf = (type: 'primary' | 'billing') => enterprise?.contacts.find((contact) => contact.type === type);

  return (
    <>
      <PageHeader
        title="School"
        actions={
          <>
            {canEdit && (
              <ButtonLink to={paths.editSchool()} variant="default" size="md">
                Update the school details
              </ButtonLink>
            )}
            <ButtonLink to={paths.addPupilsToSchool()} size="md">
              Add Pupils
            </ButtonLink>
          </>
        }
      />
      {school.error && !enterprise && <ErrorNotice error={school.error} onRetry={() => void school.refetch()} />}
      {!enterprise && !school.error && <PageSkeleton rows={8} />}
      {enterprise && (
        <>
          <dl className={css.facts}>
            <div>
              <dt>Name</dt>
              <dd>{enterprise.name}</dd>
            </div>
            <div>
              <dt>URN</dt>
              <dd>{enterprise.urn ?? <span className={css.none}>Not given</span>}</dd>
            </div>
          </dl>
          <div className={css.contacts}>
            <ContactBox
              title="Primary contact"
              contact={contactOf('primary')}
              empty="There is no primary contact yet."
            />
            <ContactBox
              title="Billing contact"
              contact={contactOf('billing')}
              empty="The same as the primary contact."
            />
          </div>
          {enterprise.can_enable_recordings && (
            <RecordingsBox isEnabled={enterprise.recording_enabled} canEdit={canEdit} />
          )}
          {canEdit && <AuditLog school={enterprise} />}
        </>
      )}
    </>
  );
}
