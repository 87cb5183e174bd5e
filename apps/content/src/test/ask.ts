export { connectAsker, type Asker } from '@scriptorium/testing/asker';
