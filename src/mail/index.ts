export { createMailer } from './create-mailer.js';
