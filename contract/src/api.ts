import { defineApi } from './call.ts';
import { accessCalls } from './calls/access.ts';
import { adminRequestCalls } from './calls/admin-requests.ts';
import { archiveCalls } from './calls/archive.ts';
import { backgroundWorkCalls } from './calls/background-work.ts';
import { bookCalls } from './calls/books.ts';
import { billingCalls } from './calls/billing.ts';
import { billingConsoleCalls } from './calls/billing-console.ts';
import { chartCalls } from './calls/charts.ts';
import { classReadingCalls } from './calls/class-reading.ts';
import { classMembershipCalls } from './calls/class-membership.ts';
import { classCalls } from './calls/classes.ts';
import { coverCalls } from './calls/covers.ts';
import { contactCalls } from './calls/contact-us.ts';
import { deletedClassCalls } from './calls/deleted-classes.ts';
import { digestCalls } from './calls/weekly-digest.ts';
import { downloadCalls } from './calls/downloads.ts';
import { factorPolicyCalls } from './calls/factor-policy.ts';
import { factorRecoveryCalls } from './calls/factor-recovery.ts';
import { hardWordCalls } from './calls/hard-words.ts';
import { certificateCalls } from './calls/certificates.ts';
import { helpCalls } from './calls/help.ts';
import { hostedInvoiceCalls } from './calls/hosted-invoices.ts';
import { inviteCalls } from './calls/invites.ts';
import { mailDeliveryCalls } from './calls/mail-delivery.ts';
import { membershipCalls } from './calls/memberships.ts';
import { loginCardCalls } from './calls/login-cards.ts';
import { lowestFifthCalls } from './calls/lowest-fifth.ts';
import { operatorCalls } from './calls/operators.ts';
import { passwordCalls } from './calls/passwords.ts';
import { paymentReportCalls } from './calls/payment-reports.ts';
import { privacyCalls } from './calls/privacy.ts';
import { programCalls } from './calls/programs.ts';
import { pupilAssistantCalls } from './calls/pupil-assistants.ts';
import { pupilImportCalls } from './calls/pupil-import.ts';
import { pupilNoteCalls } from './calls/pupil-notes.ts';
import { pupilProgressCalls } from './calls/pupil-progress.ts';
import { pupilTagCalls } from './calls/pupil-tags.ts';
import { pupilCalls } from './calls/pupils.ts';
import { readingCalls } from './calls/reading.ts';
import { readingNeedsCalls } from './calls/reading-needs.ts';
import { readingAppCalls } from './calls/reading-app.ts';
import { readingLevelCalls } from './calls/reading-levels.ts';
import { recordViewCalls } from './calls/record-views.ts';
import { runCalls } from './calls/runs.ts';
import { schoolRecordsCalls } from './calls/school-records.ts';
import { schoolCalls } from './calls/school.ts';
import { schoolClosingCalls } from './calls/school-closing.ts';
import { schoolDetailsCalls } from './calls/school-details.ts';
import { sessionCalls } from './calls/sessions.ts';
import { secondFactorCalls } from './calls/second-factor.ts';
import { signInProviderCalls } from './calls/sign-in-providers.ts';
import { subjectRequestCalls } from './calls/subject-requests.ts';
import { supportAccessCalls } from './calls/support-access.ts';
import { systemCalls } from './calls/system.ts';
import { termDateCalls } from './calls/term-dates.ts';
import { tabletCalls } from './calls/tablets.ts';
import { teacherCalls } from './calls/teachers.ts';
import { unmatchedPaymentCalls } from './calls/unmatched-payments.ts';
import { yearEndCalls } from './calls/year-end.ts';
import { yearGroupCalls } from './calls/year-groups.ts';

/** Every call of the API by its name: the `operationId`, the key of its handler, the name in clients and tests. */
export const api = defineApi({
  ...accessCalls,
  ...passwordCalls,
  ...sessionCalls,
  ...secondFactorCalls,
  ...signInProviderCalls,
  ...membershipCalls,
  ...mailDeliveryCalls,
  ...schoolCalls,
  ...schoolDetailsCalls,
  ...schoolClosingCalls,
  ...supportAccessCalls,
  ...termDateCalls,
  ...teacherCalls,
  ...adminRequestCalls,
  ...inviteCalls,
  ...classCalls,
  ...coverCalls,
  ...tabletCalls,
  ...pupilCalls,
  ...yearGroupCalls,
  ...downloadCalls,
  ...pupilAssistantCalls,
  ...pupilImportCalls,
  ...loginCardCalls,
  ...classMembershipCalls,
  ...archiveCalls,
  ...deletedClassCalls,
  ...privacyCalls,
  ...subjectRequestCalls,
  ...yearEndCalls,
  ...runCalls,
  ...schoolRecordsCalls,
  ...bookCalls,
  ...readingLevelCalls,
  ...readingCalls,
  ...readingNeedsCalls,
  ...lowestFifthCalls,
  ...classReadingCalls,
  ...factorPolicyCalls,
  ...factorRecoveryCalls,
  ...hardWordCalls,
  ...pupilNoteCalls,
  ...recordViewCalls,
  ...pupilTagCalls,
  ...pupilProgressCalls,
  ...digestCalls,
  ...chartCalls,
  ...readingAppCalls,
  ...programCalls,
  ...contactCalls,
  ...certificateCalls,
  ...helpCalls,
  ...billingCalls,
  ...hostedInvoiceCalls,
  ...paymentReportCalls,
  ...unmatchedPaymentCalls,
  ...operatorCalls,
  ...billingConsoleCalls,
  ...backgroundWorkCalls,
  ...systemCalls,
});
export type Api = typeof api;
