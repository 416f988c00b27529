#!/usr/bin/env node
import 'reflect-metadata';
import { createProgram } from './cli.js';

await createProgram().parseAsync();
