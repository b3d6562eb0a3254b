import { useQuery } from '@tanstack/react-query';
import { paths } from '../../paths.ts';
import { can } from '../../shared/can.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { useSchoolId, useUser } from '../../shared/session.ts';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../ui/PageSkeleton.tsx';
import { AcceptedTerms } from './components/AcceptedTerms.tsx';
import { AuditLog } from './components/AuditLog.tsx';
import { ContactBox } from './components/ContactBox.tsx';
import { NeedThresholds } from './components/NeedThresholds.tsx';
import { RecordingsBox } from './components/RecordingsBox.tsx';
import { SchoolDownload } from './components/SchoolDownload.tsx';
import { TermDates } from './components/TermDates.tsx';
import { schoolQuery, useIsTeachingOpen } from './school.api.ts';
import css from './SchoolPage.module.css';

/** The school, its contacts, and for administrators what was changed. */
export default function SchoolPage() {
  const user = useUser();
  const found = useQuery(schoolQuery(useSchoolId()));
  const school = found.data?.enterprise;
  const isAdmin = can(user, 'edit_school', school);
  const isTeachingOpen = useIsTeachingOpen();
  const canEdit = isAdmin && isTeachingOpen;
  const contactOf = (type: 'primary' | 'billing') => school?.contacts.find((contact) => contact.type === type);

  return (
    <>
      <PageHeader
        title="School"
        actions={
          <>
            {canEdit && (
              <ButtonLink to={paths.editSchool()} variant="default">
                Update the school details
              </ButtonLink>
            )}
            {isTeachingOpen && <ButtonLink to={paths.addPupilsToSchool()}>Add Pupils</ButtonLink>}
          </>
        }
      />
      {found.error && !school && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {!school && !found.error && <PageSkeleton rows={8} />}
      {school && (
        <>
          <dl className={css.facts}>
            <div>
              <dt>Name</dt>
              <dd>{school.name}</dd>
            </div>
            <div>
              <dt>URN</dt>
              <dd>{school.urn ?? <span className={css.none}>Not given</span>}</dd>
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
          {isTeachingOpen && school.can_enable_recordings && (
            <RecordingsBox isEnabled={school.recording_enabled} canEdit={canEdit} />
          )}
          {isTeachingOpen && school.features.includes('new_statistics') && (
            <>
              <TermDates canEdit={canEdit} />
              <NeedThresholds canEdit={canEdit} />
            </>
          )}
          {isAdmin && <SchoolDownload />}
          {isAdmin && <AcceptedTerms school={school} />}
          {isAdmin && <AuditLog school={school} />}
        </>
      )}
    </>
  );
}
