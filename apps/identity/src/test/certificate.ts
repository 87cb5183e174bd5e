export { someCertificate } from '@scriptorium/testing';
