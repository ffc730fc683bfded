/**
 * Garments on moving bodies.
 *
 * @module pliant/cloth
 */

export { CLOTH_RUN_OPTIONS, type ClothDetail, type ClothRunOptions, clothRun } from '../verbs/cloth-run.ts';
