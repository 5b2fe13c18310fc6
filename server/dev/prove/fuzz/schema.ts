import { z } from 'zod';

/** What our own OpenAPI document says of a value: the part of JSON Schema that its generator writes. */
export interface Schema {
  type?: string | string[] | undefined;
  const?: unknown;
  enum?: readonly unknown[] | undefined;
  anyOf?: readonly Schema[] | undefined;
  properties?: Readonly<Record<string, Schema>> | undefined;
  required?: readonly string[] | undefined;
  items?: Schema | undefined;
  format?: string | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  maxLength?: number | undefined;
  maxItems?: number | undefined;
}

const schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    type: z.union([z.string(), z.array(z.string())]).optional(),
    const: z.unknown().optional(),
    enum: z.array(z.unknown()).optional(),
    anyOf: z.array(schema).optional(),
    properties: z.record(z.string(), schema).optional(),
    required: z.array(z.string()).optional(),
    items: schema.optional(),
    format: z.string().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    maxLength: z.number().optional(),
    maxItems: z.number().optional(),
  }),
);

const parameter = z.object({ name: z.string(), in: z.enum(['path', 'query', 'header']), schema });
const content = z.object({ schema });
const operation = z.object({
  parameters: z.array(parameter),
  requestBody: z
    .object({
      content: z.object({
        'application/json': content.optional(),
        'multipart/form-data': content.optional(),
      }),
    })
    .optional(),
});
export type Operation = z.infer<typeof operation>;

/** Every call that the document describes, by path and method. */
export const openApi = z.object({ paths: z.record(z.string(), z.record(z.string(), operation)) });
