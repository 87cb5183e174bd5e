export { startReader, type Reader, type ReaderConfig } from './start-reader.js';
