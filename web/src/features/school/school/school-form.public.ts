// Separate from school.public.ts, so that the first screen does not load a form.
export { ContactFields, SchoolFields } from './components/ContactFields.tsx';
export { contactForm, contactFormWithEmail, contactValues, schoolValues } from './model/contact-form.ts';
export { useSaveContact, useSaveDetails } from './school-details.api.ts';
