import { paths } from '../../../paths.ts';
import { NATION_NAMES } from '#contract/nations.ts';
import { isAreaOpen } from '#contract/school-access.ts';
import { can } from '../../../shared/can.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useMailDeliveries } from '../../../shared/mail-deliveries.ts';
import { useSchoolId, useUser } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { SignInConnections } from '../../accounts/sign-in-providers/sign-in-providers.public.ts';
import { Programs } from '../programs/programs.public.ts';
import { AcceptedTerms } from './components/AcceptedTerms.tsx';
import { ContactBox } from './components/ContactBox.tsx';
import { FactorPolicy } from './components/FactorPolicy.tsx';
import { NamesInEmails } from './components/NamesInEmails.tsx';
import { NeedThresholds } from './components/NeedThresholds.tsx';
import { TagSettings } from './components/TagSettings.tsx';
import { RecordingsBox } from './components/RecordingsBox.tsx';
import { SchoolDownload } from './components/SchoolDownload.tsx';
import { SchoolHours } from './components/SchoolHours.tsx';
import { SupportAccess } from './components/SupportAccess.tsx';
import { TermDates } from './components/TermDates.tsx';
import { schoolQuery, useAreSettingsOpen, useCanChange, useIsTeachingOpen } from './school.api.ts';
import css from './SchoolPage.module.css';

/** The school, its contacts and its settings. */
export default function SchoolPage() {
  const user = useUser();
  const result = usePrefetchedQuery(schoolQuery(useSchoolId()));
  const school = result.data?.enterprise;
  const isAdmin = can(user, 'edit_school', school);
  const isTeachingOpen = useIsTeachingOpen();
  const areSettingsOpen = useAreSettingsOpen();
  const areRecordsOpen = school !== undefined && isAreaOpen('records', school.access);
  const canChange = useCanChange();
  const canEdit = isAdmin && areSettingsOpen && canChange;
  const canEditContacts = !isAdmin && can(user, 'edit_contacts', school) && areSettingsOpen && canChange;
  const hasRecords = can(user, 'view_privacy', school) && areRecordsOpen;
  const deliveries = useMailDeliveries(user);
  const deliveryTo = (contact: 'primary_contact' | 'billing_contact') =>
    deliveries.find(({ about }) => about === contact);
  const contactOf = (type: 'primary' | 'billing') => school?.contacts.find((contact) => contact.type === type);

  return (
    <>
      <PageHeader
        title="School"
        actions={
          <>
            {hasRecords && (
              <ButtonLink to={paths.dataAndPrivacy()} variant="default">
                Data and privacy
              </ButtonLink>
            )}
            {isAdmin && isTeachingOpen && (
              <ButtonLink to={paths.schoolRecords()} variant="default">
                School records
              </ButtonLink>
            )}
            {hasRecords && (
              <ButtonLink to={paths.changes()} variant="default">
                Changes
              </ButtonLink>
            )}
            {can(user, 'view_pupils', school) && isTeachingOpen && (
              <ButtonLink to={paths.tablets()} variant="default">
                Tablets
              </ButtonLink>
            )}
            {canEdit && (
              <ButtonLink to={paths.editSchool()} variant="default">
                Update the school details
              </ButtonLink>
            )}
            {canEditContacts && (
              <ButtonLink to={paths.editSchool()} variant="default">
                Update the contacts
              </ButtonLink>
            )}
            {can(user, 'manage_pupils', school) && isTeachingOpen && canChange && (
              <ButtonLink to={paths.addPupilsToSchool()}>Add Pupils</ButtonLink>
            )}
          </>
        }
      />
      {!school && <ErrorNotice error={result.error} onRetry={() => void result.refetch()} />}
      {school && (
        <>
          <dl className={`facts below-2xl ${css.facts}`}>
            <div>
              <dt>Name</dt>
              <dd>{school.name}</dd>
            </div>
            <div>
              <dt>URN</dt>
              <dd>{school.urn ?? <span className="soft light">Not provided</span>}</dd>
            </div>
            <div>
              <dt>Nation</dt>
              <dd>
                {school.nation ? (
                  NATION_NAMES[school.nation]
                ) : (
                  <span className="soft light">Outside the United Kingdom</span>
                )}
                {school.nation && !school.nation_chosen && <span className="soft light"> (from the postcode)</span>}
              </dd>
            </div>
          </dl>
          <div className={`fitted ${css.contacts}`}>
            <ContactBox
              title="Primary contact"
              contact={contactOf('primary')}
              empty="No primary contact yet."
              delivery={deliveryTo('primary_contact')}
            />
            <ContactBox
              title="Billing contact"
              contact={contactOf('billing')}
              empty="The same as the primary contact."
              delivery={deliveryTo('billing_contact')}
            />
          </div>
          {school.can_enable_recordings && (
            <RecordingsBox
              isEnabled={school.recording_enabled}
              isAdmin={isAdmin && canChange}
              canEnable={isTeachingOpen}
            />
          )}
          {areSettingsOpen && school.features.includes('new_statistics') && (
            <>
              <TermDates canEdit={canEdit} />
              <SchoolHours canEdit={canEdit} />
              {can(user, 'view_pupils', school) && (
                <NeedThresholds canEdit={can(user, 'manage_reasons', school) && areSettingsOpen && canChange} />
              )}
            </>
          )}
          {areSettingsOpen && <NamesInEmails naming={school.names_in_emails} canEdit={canEdit} />}
          {isAdmin && isTeachingOpen && <TagSettings />}
          {isAdmin && areRecordsOpen && <SignInConnections canChange={canChange} />}
          {isAdmin && areRecordsOpen && <Programs classes={school.groups} canChange={canChange} />}
          {isAdmin && <FactorPolicy />}
          {isAdmin && <SupportAccess />}
          {isAdmin && areRecordsOpen && <SchoolDownload />}
          {isAdmin && areRecordsOpen && <AcceptedTerms school={school} />}
        </>
      )}
    </>
  );
}
