/**
 * Values used in the examples of the calls, all different. The API reference shows them; the test that sends the examples
 * replaces them with data of its own school.
 */
export const EXAMPLE = {
  school: 12,
  class: 305,
  otherClass: 306,
  /** In the class `otherClass`. */
  otherPupil: 40_812,
  pupil: 40_711,
  teacher: 2024,
  book: 101,
  otherBook: 102,
  tag: 21,
  teacherEmail: 'ada.okafor@oakfield.sch.example',
  password: 'a-green-bicycle',
  username: 'amara.b',
  invite: '0b5c3a52-7c1e-4a8f-9d55-2f6b8c0e7a11',
  yearEnd: 3,
  package: 5,
  invoiceToken: 'b7Yq2LkT0mVd9wRz4xHc1nPs8uJf6gEa3oQi5tWlCvM',
  invoiceNumber: 'INV-000042',
  passwordReset: '6f1e8a52-7a51-4c55-9a0c-0d4f2b7c9e11',
  paymentSession: 'cs_live_a1b2c3d4e5f6g7h8',
  job: '3f0c2b6e-9d1a-4f7b-8c25-5e7a1d9b4c33',
  sheetToken: 'h5Jt2LkT0mVd9wRz4xHc1nPs8uJf6gEa3oQi5tWlCvM',
  token: 'q1w7Zr0cTn2bYx8mKd4sVh6uJf3pLg9eAa5oRi1tWcE',
} as const;

/** Example path parameters, by name. */
export const exampleParams: Readonly<Record<string, string | number>> = {
  id: EXAMPLE.school,
  schoolId: EXAMPLE.school,
  groupId: EXAMPLE.class,
  readerId: EXAMPLE.pupil,
  pupilId: EXAMPLE.pupil,
  userId: EXAMPLE.teacher,
  bookId: EXAMPLE.book,
  inviteId: EXAMPLE.invite,
  resetId: EXAMPLE.passwordReset,
  jobId: EXAMPLE.job,
  token: `${EXAMPLE.token}.pdf`,
  yearEndId: EXAMPLE.yearEnd,
  packageId: EXAMPLE.package,
  invoiceToken: EXAMPLE.invoiceToken,
  invoiceNumber: EXAMPLE.invoiceNumber,
  sessionId: EXAMPLE.paymentSession,
  name: 'pupils.xlsx',
  certificate: 'book-worm.pdf',
  action: 'start',
  academicYear: 2026,
  noteId: 7,
  tagId: EXAMPLE.tag,
  responseId: 9,
};
