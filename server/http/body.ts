import express, { type Request, type RequestHandler, type Response } from 'express';
import { DomainError } from '../../shared/errors.ts';
import { hasBody } from './body-time.ts';
import { isStorable } from './storable-text.ts';

/** Bytes of a JSON body: far more than any form of ours sends. */
export const MAX_BODY_BYTES = 16_384;
/** Of a submission, whose sender is known: a year of claims fits. */
export const MAX_SUBMISSION_BYTES = 524_288;

// A packed body says nothing of the size it unpacks to; no client of ours sends one.
const reader = (limit: number): RequestHandler => express.json({ limit, inflate: false });
const read = { small: reader(MAX_BODY_BYTES), large: reader(MAX_SUBMISSION_BYTES) };

/**
 * Reads a JSON body; without a body there is nothing to read.
 * @throws DomainError request.notJson if the body has another type, charset or encoding; request.tooLarge; request.malformed if it
 * does not parse or holds a text that cannot be stored
 */
export async function readBody(req: Request, res: Response, size: keyof typeof read): Promise<void> {
  if (hasBody(req) && !req.is('application/json')) throw new DomainError('request.notJson');
  await new Promise<void>((resolve, reject) => {
    void read[size](req, res, (error?: unknown) => (error ? reject(error) : resolve()));
  });
  if (!isStorable(req.body)) throw new DomainError('request.malformed');
}
