export { default, type Express, type NextFunction, type Request, type Response } from 'express';
