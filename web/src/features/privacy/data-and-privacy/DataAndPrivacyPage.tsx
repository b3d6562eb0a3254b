import { useState } from 'react';
import { Link } from '../../../ui/Link.tsx';
import type { FormerMember, Holding } from '#contract/calls/privacy.ts';
import { paths } from '../../../paths.ts';
import { count, formatDate, fullName } from '../../../shared/format.ts';
import { useSchoolId, useUser } from '../../../shared/session.ts';
import { can } from '../../../shared/can.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { Confirm } from '../../../ui/Confirm.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { DEFAULT_SUCCESS, showToast } from '../../../ui/toasts.ts';
import { useSchool } from '../../school/school/school.public.ts';
import { ClosingSection } from './components/ClosingSection.tsx';
import { Erasures } from './components/Erasures.tsx';
import { FormerStaff } from './components/FormerStaff.tsx';
import { Holdings } from './components/Holdings.tsx';
import { ImportDigests } from './components/ImportDigests.tsx';
import { PeriodForm } from './components/PeriodForm.tsx';
import { PRIVACY_DOCUMENTS } from './model/privacy-documents.ts';
import { dataQuery, useEraseFormerMember } from './data-and-privacy.api.ts';

/** What the portal stores about the school, for how long, and what was erased. Only admins change or erase anything. */
export default function DataAndPrivacyPage() {
  const schoolId = useSchoolId();
  const school = useSchool();
  const found = usePrefetchedQuery(dataQuery(schoolId));
  const erase = useEraseFormerMember(schoolId);
  const [changing, setChanging] = useState<Holding | null>(null);
  const [erasing, setErasing] = useState<FormerMember | null>(null);
  const data = found.data;
  const user = useUser();
  const canEdit = can(user, 'edit_school', school);

  return (
    <>
      <PageHeader
        title="Data and privacy"
        crumbs={[{ text: 'School', to: paths.school() }]}
        lead="What we store about your school, why, for how long, and who receives it."
        actions={
          <ButtonLink to={paths.subjectRequests()} variant="default">
            Requests and complaints
          </ButtonLink>
        }
      />
      {found.error && !data && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {data && (
        <>
          <section className="above-3xl" aria-labelledby="last-night">
            <h2 id="last-night">Removed last night</h2>
            <LastNight holdings={data.holdings} day={data.last_run} />
          </section>
          <section className="above-3xl" aria-labelledby="stored">
            <h2 id="stored">What we store</h2>
            <Holdings holdings={data.holdings} onChange={canEdit ? setChanging : undefined} />
          </section>
          <section className="above-3xl" aria-labelledby="lists">
            <h2 id="lists">Lists of pupils</h2>
            <ImportDigests isOn={data.keeps_import_digests} canEdit={canEdit} />
          </section>
          <section className="above-3xl" aria-labelledby="documents">
            <h2 id="documents">Documents</h2>
            <ul>
              {Object.entries(PRIVACY_DOCUMENTS).map(([name, { title, lead }]) => (
                <li key={name}>
                  <Link to={paths.privacyDocument(name)}>{title}</Link>: {lead}
                </li>
              ))}
            </ul>
          </section>
          <section className="above-3xl" aria-labelledby="former-staff">
            <h2 id="former-staff">Former staff</h2>
            <p>
              When someone leaves, we keep their account for two years, then erase it.{' '}
              {canEdit ? 'You can' : 'An admin can'} erase it sooner. People who join another school are not listed.
            </p>
            <FormerStaff people={data.former_staff} onErase={canEdit ? setErasing : undefined} />
          </section>
          <section className="above-3xl" aria-labelledby="receipts">
            <h2 id="receipts">Receipts of erasures</h2>
            <Erasures />
          </section>
          {school && (
            <section className="above-3xl" aria-labelledby="closing">
              <h2 id="closing">Closing the school</h2>
              <ClosingSection school={school} canEdit={canEdit} />
            </section>
          )}
        </>
      )}
      <Dialog
        isOpen={changing !== null}
        onClose={() => setChanging(null)}
        title={changing ? `How long to keep: ${changing.title}` : ''}
      >
        {changing && <PeriodForm holding={changing} onClose={() => setChanging(null)} />}
      </Dialog>
      <Confirm
        isOpen={erasing !== null}
        onClose={() => setErasing(null)}
        title={erasing ? `Erase the account of ${fullName(erasing)}?` : ''}
        action="Erase the account"
        isDangerous
        lost="The account has not been erased."
        onConfirm={async () => {
          if (!erasing) return;
          await erase.mutateAsync(erasing.id);
          showToast(DEFAULT_SUCCESS, { detail: 'The account has been erased. The receipt is below.' });
        }}
      >
        <p>
          We delete the name, email address and login at once. What this person did stays in Changes, without their
          name. You cannot undo this.
        </p>
      </Confirm>
    </>
  );
}

/** What the nightly job removed from this school. */
function LastNight({ holdings, day }: { holdings: readonly Holding[]; day: string | null }) {
  const removed = holdings.filter((holding) => (holding.removed ?? 0) > 0);
  if (day === null)
    return <p>Each night we remove what has reached the end of its period. This has not happened yet.</p>;
  if (removed.length === 0) return <p>{formatDate(day)}: nothing of your school had reached the end of its period.</p>;
  return (
    <>
      <p>{formatDate(day)}: this had reached the end of its period, and we removed it.</p>
      <ul>
        {removed.map(({ name, title, removed: rows }) => (
          <li key={name}>
            {title}: {count(rows ?? 0, 'entry', 'entries')}
          </li>
        ))}
      </ul>
    </>
  );
}
