export { API_REFERENCE_PATH, registerApiReference } from './api-reference-page.js';
