export { register, type RegisterParams } from './register.js';
