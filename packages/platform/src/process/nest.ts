export { Controller, Inject, Injectable, Module } from '@nestjs/common';
